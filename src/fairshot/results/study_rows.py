"""Rows and results of studies that find more than a score: typed, and told apart by their kind."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, Field

from fairshot.results.schema import Result, Row


class RankRow(Row):
    """A learner's place among others on one benchmark."""

    kind: str = "rank"
    side: Literal["in", "out"]
    """In the distribution of training, or beyond it."""
    rank: int | None
    ranks: tuple[int, int]
    """The best and the worst place that the learner could have, for all that is known."""
    episodes_of: str
    """The label of the task; `task` names the benchmark."""
    stands_for: str = ""
    """The benchmark that the published number is of, where that is another one."""


class SnapshotRow(Row):
    """One snapshot of a training; `part` says what it was scored on."""

    kind: str = "snapshot"
    snapshot: int
    benchmark: str = ""


class FlipRow(Row):
    """How often drawn sets of classes, or of images, reverse a comparison."""

    kind: str = "flips"
    better: str
    worse: str
    asked_gap: float
    """How far apart the pair should be."""
    gap: float
    """How far apart it is on all classes."""
    accuracy: float
    """Of the better one, on all classes."""
    base_classes: int
    all_classes: int
    novel_classes: int | None = None
    """How many are drawn; None where images of the same classes are."""
    images: int | None = None
    """How many images of each class are drawn, where the classes stay the same."""
    tasks: int | None = None
    exaggerated: float
    """The share of drawn sets that show the gap as larger than it is by more than half a point."""
    deviation: float | None
    predicted: float | None
    """The share of flips that the spread between classes predicts for sets of these classes."""
    predicted_elsewhere: float | None
    """The same for sets of other classes."""


class ForecastRow(Row):
    """How often a forecast within some bounds came true."""

    kind: str = "forecast"
    predicted: float | None = None
    verdict: str = ""


class SampleRow(Row):
    """A measure of a generator at some number of samples a class."""

    kind: str = "samples"
    samples: int
    deviation: float | None
    """Between sets that share no sample."""


class AgreementRow(Row):
    """How well two numbers a class agree."""

    kind: str = "agreement"
    table: str
    """The published table that the pair is from, or what it is about."""
    p_value: float | None = None
    """That ranks have nothing to do with one another."""
    published_above: float | None = None
    """Where the paper gives a bound only."""
    entries: bool = False
    """Whether every drawing beside every class of its episode counts, instead of one number a class."""


class CoverageRow(Row):
    """How often an interval held its population's value."""

    kind: str = "coverage"
    population: str
    usual: float
    """How often the usual interval held it."""
    width: float | None
    """The mean half width in units of the ideal one; None where no interval was given."""
    usual_width: float
    null: float
    """The share of repetitions in which no interval was given."""
    repetitions: int
    accuracy: float
    difference_is_zero: bool
    units: dict[str, int]


class ReaderRow(Row):
    """The mean accuracy over many runs of a reader of episodes, beside true sampling with the same descriptions."""

    kind: str = "reader"
    runs_made: int
    gain: float
    """What is scored more than with true sampling."""
    gain_interval: tuple[float, float] | None
    """For more runs; none after one run."""
    spread: float | None
    """The deviation of a run's mean over runs, in units of what the usual interval takes it for."""
    spread_interval: tuple[float, float] | None
    coverage: float
    """How often the usual interval of a run holds the mean of true sampling."""
    coverage_interval: tuple[float, float]


class ChoiceLoss(BaseModel):
    """What a rule that cannot see novel classes loses by its choice."""

    choice: str
    """What is chosen, or the benchmark that it is chosen on."""
    learner: str = ""
    rule: str
    chosen: str
    best: str
    plain: float
    crossed: float
    """The best found on one half of the episodes and judged on the other."""


class VariantDifference(BaseModel):
    """What one variant of a learner scores more than another, on the same episodes."""

    learner: str
    against: str
    task: str
    value: float
    interval: tuple[float, float] | None
    population: str = ""
    """What the interval is for; empty where there is none."""


class ChoiceResult(Result):
    """The result of a study of choices, among snapshots or among variants."""

    kind: str = "choices"
    losses: list[ChoiceLoss] = Field(default_factory=list)
    differences: list[VariantDifference] = Field(default_factory=list)


class CriticResult(Result):
    """The result of a study of critics."""

    kind: str = "critics"
    critic: str = ""
    critics: dict[str, Any]
    way: int = 0
    times: int = 0
    """How often each class was asked for, where critics recognised drawings."""
    class_names: list[str] = Field(default_factory=list)
    by_class: dict[str, list[float]] = Field(default_factory=dict)
    """By what was measured, a number for each class."""


class CoverageResult(Result):
    """The result of a study of coverage."""

    kind: str = "coverage"
    examples: dict[str, list[list[float | None]]]
    """By setting, for some repetitions: the mean, both ends of the usual interval, both ends of ours."""


class ModelRow(Row):
    """One measure of a generator's samples by one pair of critics: the mean over trainings with several seeds."""

    kind: str = "model"
    generator: str
    setting: str = ""
    """What is varied, in a sweep."""
    position: float | None = None
    """Its value."""
    seeds: int = 1


class ClaimRow(Row):
    """A claim of a paper, as a number that is above 0 if the claim holds; `learner` is the claim itself."""

    kind: str = "claim"
    verdict: Literal["agree", "disagree", "cannot be told"]
    about: str = ""
    """What the number is."""


def name_drawer(course: str, sampling: Mapping[str, object]) -> str:
    """A course with the settings of its drawing, if there are some."""
    return ", ".join([course, *(f"{name} {value}" for name, value in sampling.items())])


class SamplePoint(BaseModel):
    """One trained generator, or a yardstick, in the plane of one pair of critics."""

    critic: str
    model: str
    """The generator with its settings; trainings that differ in their seeds alone have the same name."""
    generator: str
    course: str = ""
    seed: int | None = None
    setting: str = ""
    position: float | None = None
    sampling: dict[str, str | int | float | bool] = Field(default_factory=dict)
    """Settings of drawing that are not those of the training."""
    values: dict[str, float]
    """By measure: diversity, recognizability, distance ..."""
    by_class: dict[str, list[float]] = Field(default_factory=dict)
    """Both axes, a number for each class; empty where the result that it was taken from has them."""
    known: str = ""
    """The result of an earlier run that it was taken from; empty where this run measured it."""

    @property
    def drawer(self) -> str:
        """Who draws: the course, and how it was told to draw."""
        return name_drawer(self.course, self.sampling)

    @property
    def place(self) -> tuple[float, float]:
        """Diversity and recognizability."""
        return self.values["diversity"], self.values["recognizability"]


class CurveFit(BaseModel):
    """The smooth curve through the points of one sweep with one seed."""

    critic: str
    curve: str
    seed: int
    positions: list[float]
    diversity: list[float]
    recognizability: list[float]


class ClassTable(BaseModel):
    """The classes that are drawn."""

    names: list[str] = Field(default_factory=list)
    line_length: list[float] = Field(default_factory=list)
    """Of people's drawings, in pixels, the mean of each class."""


class SampleResult(Result):
    """The result of a study of generators."""

    kind: str = "generators"
    critics: dict[str, Any] = Field(default_factory=dict)
    """By the name of the pair, what the critics are."""
    way: int = 0
    times: int = 0
    judging: dict[str, dict[str, Any]] = Field(default_factory=dict)
    """By the name of the pair, all that scores depend on beside the samples: where it is the same, scores are."""
    points: list[SamplePoint] = Field(default_factory=list)
    """Every training by every pair of critics, people among them."""
    fits: list[CurveFit] = Field(default_factory=list)
    sheets: dict[str, str] = Field(default_factory=dict)
    """By course and settings of drawing, some samples: a PNG in base64 with a row for each of some classes."""
    classes: ClassTable = Field(default_factory=ClassTable)
    positions: dict[str, tuple[float, float]] = Field(default_factory=dict)
    """Diversity and recognizability of generators as published, on the scale of the published critics."""

    def people(self, critic: str) -> SamplePoint:
        """The point of people's drawings."""
        return next(point for point in self.points if (point.critic, point.model) == (critic, "human"))

    def select(self, critic: str, generator: str = "") -> list[SamplePoint]:
        """The points of one pair of critics, or of one generator by it; without people's."""
        points = [point for point in self.points if point.critic == critic and point.model != "human"]
        return [point for point in points if generator in ("", point.generator)]

    def class_means(self, critic: str) -> dict[str, dict[str, list[float]]]:
        """By model and axis, a number for each class: the mean over trainings."""
        found: dict[str, list[SamplePoint]] = {}
        for point in self.points:
            if point.critic == critic and point.by_class:
                found.setdefault(point.model, []).append(point)
        return {
            model: {
                axis: [sum(values) / len(values) for values in zip(*(p.by_class[axis] for p in points), strict=True)]
                for axis in points[0].by_class
            }
            for model, points in found.items()
        }


class ConceptDistance(BaseModel):
    """How far two models are from people in drawing one concept."""

    critic: str
    name: str
    nearest: str
    """The model that draws it most like people, among concepts chosen for that model."""
    distances: dict[str, float]
    """By model, the published distance of this class."""
    line_length: float
    side: int
    drawing: str
    """The exemplar, a bit for each pixel from the upper left, as hexadecimal digits."""


class DistanceResult(SampleResult):
    """The result of a study of distances to people."""

    kind: str = "distances"
    concepts: list[ConceptDistance] = Field(default_factory=list)
    best: dict[str, list[str]] = Field(default_factory=dict)
    """By the name of the pair, the best model of every generator, and people."""
    published_distances: dict[str, tuple[float, float]] = Field(default_factory=dict)
    """The median and the best distance of each generator as published."""

    def class_means(self, critic: str) -> dict[str, dict[str, list[float]]]:
        """Of the best models, and of people."""
        means = super().class_means(critic)
        return {model: means[model] for model in self.best.get(critic, means)}
