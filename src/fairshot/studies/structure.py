"""What structure costs each classifier: any characters together against those of one alphabet, and Lake's 20 runs.

Every classifier that can be trained, with the same network (Conv4) and about the same number of images shown (its
preset `laptop`), on Lake's split; all answer the same episodes, so that `fairshot compare` can pair them.
"""

from fairshot.studies.kinds.structure_table import Structured, both_ways
from fairshot.studies.kinds.trained_table import Course
from fairshot.tasks.lake_runs import LakeRuns

COURSES = (
    "prototypes",
    "siamese",
    "matching",
    "meta_ridge",
    "meta_svm",
    "maml",
    "maml:order=first",
    "baseline",
    "meta_baseline",
)
ON_BASELINE = ("finetune@baseline", "neighbours@baseline")  # trained in the same way, so they share its network
TASKS = (*both_ways(20, 1, query=5), LakeRuns())

STUDY = Structured(
    title="Structure: how much more wrong each classifier is within alphabets",
    paper="our own question, after Lake et al. 2015 and jvlmdr/omniglot-eval",
    name="structure",
    what="omniglot/lake/novel",
    split="omniglot/lake",
    learners=(*COURSES, *ON_BASELINE),
    courses={name: Course(name) for name in COURSES},
    tasks=TASKS,
    metric="error",
    episodes=1500,  # MAML adapts a network in each of them
)
