"""Rows and results of studies that find more than a score: typed, and told apart by their kind."""

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
