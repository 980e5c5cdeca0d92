"""One benchmark after the other out of a population, each evaluated as a user would: what do its intervals say?"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float
from torch import Tensor, from_numpy

from fairshot.evaluation.scorer import Scorer
from fairshot.learners.classifiers.balanced_prototypes import BalancedPrototypes
from fairshot.learners.classifiers.neighbours import Neighbours
from fairshot.learners.classifiers.prototypes import Prototypes
from fairshot.learners.features import Features
from fairshot.learners.learner import Classifier, TaskBatch
from fairshot.metrics.accuracy import Accuracy
from fairshot.runtime.fingerprints import fingerprint
from fairshot.runtime.seeds import Stream
from fairshot.sources.source import Source
from fairshot.statistics.answers import Answers, drawable_layout, tabulate
from fairshot.statistics.intervals.episodes import over_episodes
from fairshot.statistics.intervals.headline import headline
from fairshot.statistics.intervals.populations import estimate_all, spread_over
from fairshot.statistics.intervals.runs import over_runs, over_runs_and_classes
from fairshot.statistics.scores import Scores
from fairshot.studies.kinds.simulated_benchmarks import FEATURES, World, normals
from fairshot.tasks.episodes import Episodes
from fairshot.tasks.task import TaskDistribution

Population = Literal["images", "classes", "parents", "quoted", "runs", "runs and classes"]
SETS = 4  # different fixed classes (or benchmarks, for runs) that the repetitions take turns with
RUNS = 5  # training runs of one repetition
MISSING = (np.nan, np.nan)
RUN_FEATURES = 8  # what a run keeps of the features


@dataclass(frozen=True)
class View(Classifier):
    """A head that looks at the features through a matrix: half of them, or what a training run made of them."""

    head: Classifier
    matrix: Float[np.ndarray, "feature seen"]

    @property
    def shift_invariant(self) -> bool:
        """As the head."""
        return self.head.shift_invariant

    def embed(self, images: Float[Tensor, "image feature"]) -> Float[Tensor, "image seen"]:
        """The features times the matrix."""
        return images @ from_numpy(self.matrix.astype(np.float32))

    def classify(self, batch: TaskBatch) -> Float[Tensor, "episode query way"]:
        """As the head."""
        return self.head.classify(batch)


_HALVES = np.split(np.eye(FEATURES), 2, axis=1)
LEARNERS: dict[str, Classifier] = {
    "prototypes": Prototypes(),
    "cosine prototypes": Prototypes(metric="cosine"),
    "1-NN": Neighbours(),
    "transductive": BalancedPrototypes(steps=2),
    "first half": View(Prototypes(), _HALVES[0]),
    "second half": View(Prototypes(), _HALVES[1]),
}


@dataclass(frozen=True)
class Setting:
    """A kind of benchmark, how it is evaluated, and which population is asked about."""

    world: World
    task: TaskDistribution
    population: Population
    learners: tuple[str, ...] = ("prototypes",)
    """One, or two whose difference is asked about."""
    episodes: tuple[int, ...] = (100, 1000)
    null: bool = False
    """Whether the two learners are equally good in the population."""

    @property
    def key(self) -> str:
        """Names the setting's random streams."""
        return fingerprint(repr(self.world), repr(self.task), self.population, list(self.learners))

    @property
    def learner(self) -> str:
        """One learner, a difference, or runs."""
        if self.population.startswith("runs"):
            return f"{RUNS} runs of {self.learners[0]}"
        return " - ".join(self.learners)

    @property
    def label(self) -> str:
        """Tells it from every other setting."""
        return f"{self.world.label}; {self.task.label}; {self.population}; {self.learner}"

    def set_of(self, repetition: int) -> int:
        """Which fixed classes, parents or benchmark a repetition has; the same number, the same truth."""
        within = self.population == "classes" and self.world.parents > 1
        return repetition % SETS if self.population in ("images", "runs") or within else 0

    def benchmark(self, repetition: int) -> Source:
        """The data of one repetition: what the population keeps is the same in every repetition of a set."""
        kept = {
            "images": ("parents", "classes"),
            "runs": ("parents", "classes", "images"),
            "classes": ("parents",) if self.world.parents > 1 else (),
        }.get(self.population, ())
        streams = [
            Stream(0, self.key, name, f"set {self.set_of(repetition)}" if name in kept else repetition)
            for name in ("parents", "classes", "images")
        ]
        return self.world.benchmark(*streams)

    def classifiers(self, repetition: int) -> list[Classifier]:
        """Who answers."""
        if not self.population.startswith("runs"):
            return [LEARNERS[name] for name in self.learners]
        streams = [Stream(0, self.key, "run", repetition * RUNS + run) for run in range(RUNS)]
        return [View(LEARNERS[self.learners[0]], normals(stream, FEATURES, RUN_FEATURES)) for stream in streams]


Ends = Float[np.ndarray, "episodes end"]
"""For each number of episodes: mean; low and high of the usual interval; low and high of ours, NaN if there is none."""


def repeat(setting: Setting, repetition: int) -> Ends:
    """One benchmark: its mean and intervals at every number of episodes."""
    part = setting.benchmark(repetition)
    sampled = setting.task.sample(part, range(max(setting.episodes)), repetition)
    learners = setting.classifiers(repetition)
    scores = [answered(part, learner, sampled) for learner in learners]
    layout = drawable_layout(setting.task, part)
    per_query = not any(learner.transductive for learner in learners)
    if setting.population.startswith("runs"):
        tables = [tabulate(layout, sampled, each, per_query=per_query) for each in scores]
    else:
        tables = [tabulate(layout, sampled, *scores[:1], minus=_second(scores), per_query=per_query)]
    return np.array([_ends(setting, [table.first(count) for table in tables]) for count in setting.episodes])


def _second(scores: list[Scores]) -> Scores | None:
    return scores[1] if len(scores) > 1 else None


def answered(part: Source, learner: Classifier, sampled: Episodes) -> Scores:
    """What a learner scores in some episodes."""
    features = Features(part, learner)
    features.require(sampled)
    return Scorer(features, learner, Accuracy())(sampled)


def _ends(setting: Setting, tables: list[Answers]) -> list[float]:
    scores = np.stack([table.scores for table in tables])
    whole, difference = scores.mean(axis=0), len(setting.learners) > 1
    if setting.population == "runs":
        spread = over_runs(scores)
    elif setting.population == "runs and classes":
        spread = over_runs_and_classes(tables)
    elif setting.population == "quoted":
        return [*_usual(whole, difference), *_quoted(tables[0], difference)]
    else:
        spread = spread_over(setting.population, tables[0], whole)
    worst = None if difference else float((1 / tables[0].way).mean())
    ours = None if isinstance(spread, str) else spread.estimate(difference=difference, worst=worst).interval
    return [*_usual(whole, difference), *(ours or MISSING)]


def _quoted(answers: Answers, difference: bool) -> tuple[float, float]:
    """The interval that a reader is told to quote."""
    worst = None if difference else float((1 / answers.way).mean())
    found = estimate_all(answers, answers.scores, difference=difference, worst=worst)
    return found[headline(found, len(np.unique(answers.layout.parents)))].interval or MISSING


def _usual(whole: Float[np.ndarray, " episode"], difference: bool) -> list[float]:
    """The mean, and both ends of the usual interval."""
    usual = over_episodes(whole, difference=difference).interval
    return [float(whole.mean()), *(usual or MISSING)]
