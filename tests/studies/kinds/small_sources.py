"""Three small sources of vectors, and learners that see half of the features or all of them, as if trained on more."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from jaxtyping import Float
from torch import Tensor

from fairshot.evaluation.evaluate import evaluate
from fairshot.learners.classifiers.neighbours import Neighbours
from fairshot.learners.classifiers.prototypes import Prototypes
from fairshot.learners.clusterers.sinkhorn import Sinkhorn
from fairshot.learners.learner import Classifier, TaskBatch
from fairshot.results.evaluation import Evaluation
from fairshot.results.schema import SourceName
from fairshot.results.source_rows import ManySourcesResult
from fairshot.sources.array import from_arrays
from fairshot.sources.source import Source
from fairshot.studies.kinds.many_sources import GRAIN
from fairshot.studies.kinds.source_findings import Findings, Heading, Tested, gather
from fairshot.tasks.by_source import BySource

# Two fish, three sharks, a ray, a cock: below several nodes of WordNet.
WNIDS = [f"n0{number}" for number in (1440764, 1443537, 1484850, 1491361, 1494475, 1496331, 1498041, 1514668)]
FEATURES, IMAGES = 8, 24
SETTINGS = ("one", "many")
EPISODES, SMALL = 60, 30
SOURCES = (
    Tested("Fish", "fish", True, "eight classes of ILSVRC", -1),
    Tested("Marks", "marks", True, "vectors", 1),
    Tested("Birds", "birds", False, "vectors without parents", 0),
)
HEADING = Heading(
    settings=SETTINGS,
    sources=SOURCES,
    learners=("k-NN", "Prototypes", "Clusters", "Slow"),
    fast=("k-NN", "Prototypes", "Clusters"),
    ranked=("k-NN", "Prototypes", "Slow"),
    ratios=(("Clusters", "Prototypes"),),
    published={("k-NN", "Fish"): 0.0, ("Prototypes", "Marks"): 0.25},
    published_ratios={("Clusters (one)", "Fish"): 0.5},
)
HEADS: dict[str, Classifier] = {
    "k-NN": Neighbours(),
    "Prototypes": Prototypes(),
    "Slow": Prototypes(metric="cosine"),
}


@dataclass(frozen=True)
class Short(Classifier):
    """A head that sees the first features alone."""

    head: str
    features: int

    def embed(self, images: Float[Tensor, "image feature"]) -> Float[Tensor, "image seen"]:
        """The first features."""
        return images[:, : self.features]

    def classify(self, batch: TaskBatch) -> Float[Tensor, "episode query way"]:
        """As the head."""
        return HEADS[self.head].classify(batch)


def make_part(label: str, seed: int) -> Source:
    """Classes that lie apart; those of Marks have three parents."""
    rng = np.random.default_rng(seed)
    names = WNIDS if label == "Fish" else [f"{label}{number:02d}" for number in range(12)]
    labels = np.repeat(np.arange(len(names)), IMAGES)
    centres = 0.8 * rng.normal(size=(len(names), FEATURES))
    vectors = centres[labels] + rng.normal(size=(len(labels), FEATURES))
    parents = [f"p{number // 4}" for number in range(12)] if label == "Marks" else None
    return from_arrays(vectors, np.array(names)[labels], name=label.lower(), parents=parents)


def make_learners(names: tuple[str, ...]) -> dict[str, Classifier]:
    """By name and setting."""
    seen = {"one": FEATURES // 2, "many": FEATURES}
    return {
        HEADING.named(name, setting): Sinkhorn(seed=seen[setting]) if name == "Clusters" else Short(name, seen[setting])
        for name, setting in HEADING.every(names)
    }


def try_on(part: Source, names: tuple[str, ...], episodes: int, **limits: int) -> Evaluation:
    """All learners in episodes of Meta-Dataset, each source by its rule."""
    return evaluate(part, make_learners(names), [BySource(**limits)], episodes=episodes)


@cache
def make_findings() -> Findings:
    """What the three sources gave."""
    findings = Findings()
    for seed, tested in enumerate(SOURCES):
        part = make_part(tested.label, seed)
        findings.parts[tested.label] = part
        findings.whole[tested.label] = try_on(part, HEADING.fast, EPISODES)
        findings.small[tested.label] = try_on(part, HEADING.ranked, SMALL, most_way=6, most_support=20)
    marks = findings.parts["Marks"]
    way = tuple(type(task)(way=3, shot=2, query=2, disjoint=None) for task in GRAIN)
    findings.grain = evaluate(marks, make_learners(HEADING.fast), way, episodes=SMALL)
    return findings


@cache
def make_result() -> ManySourcesResult:
    """The same as a result."""
    training = {name: {"preset": "quick", "steps": 3, "seconds": 1.5, "accuracy": 0.5} for name in ("start", "it-one")}
    return ManySourcesResult(
        seed=0,
        source=SourceName.of(make_findings().parts["Fish"]),
        episodes_key="k",
        training=training,
        sources={tested.label: tested.lacks for tested in SOURCES},
        **gather(HEADING, make_findings(), 0),
    )
