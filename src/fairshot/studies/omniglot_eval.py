"""omniglot-eval: unstructured against within-alphabet error of a siamese network, trained and judged as published
(https://github.com/jvlmdr/omniglot-eval).
"""

from fairshot.studies.kinds.structure_table import Structured, both_ways
from fairshot.studies.kinds.trained_table import Course

PUBLISHED = {  # error in percent: unstructured, within alphabets
    (20, 1): (10.7, 24.2),
    (20, 5): (3.6, 12.8),
    (5, 1): (3.5, 9.5),
    (5, 5): (1.1, 4.2),
}
TASKS = {shape: both_ways(*shape, query=1) for shape in PUBLISHED}

STUDY = Structured(
    title="omniglot-eval: the same network twice or thrice as wrong within alphabets",
    paper="the README of jvlmdr/omniglot-eval",
    name="omniglot_eval",
    what="omniglot/lake/novel",
    split="omniglot/lake",
    learners=("siamese",),
    courses={"siamese": Course("siamese", preset="paper", shipped="siamese@omniglot-lake")},
    tasks=tuple(task for pair in TASKS.values() for task in pair),
    metric="error",
    episodes=10_000,  # published: 1000; more take seconds and leave less noise
    published={
        ("siamese", task.label): error / 100
        for shape, errors in PUBLISHED.items()
        for task, error in zip(TASKS[shape], errors, strict=True)
    },
)
