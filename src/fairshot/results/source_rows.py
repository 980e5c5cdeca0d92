"""What is kept of a study of learners that are trained on one source and on many."""

from pydantic import BaseModel, Field

from fairshot.results.schema import Result, Row


class SourceRow(Row):
    """A learner on one source; its name says what it was trained on, and so do these fields."""

    kind: str = "source"
    head: str
    """The learner by itself, such as `k-NN`."""
    setting: str
    """What it was trained on."""
    source: str
    small: bool = False
    """Whether episodes were small ones, which learners that descend can answer too."""


class SourceDifference(BaseModel):
    """What a learner gains on a source by training on many instead of one, on the same episodes."""

    learner: str
    source: str
    trained: bool
    """Whether other classes of the source are among the many."""
    task: str
    episodes: int
    value: float
    interval: tuple[float, float] | None
    population: str
    published: float | None = None


class CurvePoint(BaseModel):
    """The accuracy of a learner in episodes of some ways, in classes of some shots, or below nodes of some height."""

    setting: str
    learner: str
    axis: str
    """What stands below it: `way`, `shot`, `height` (of a node of WordNet) or `one parent` (0: any parents, 1: one)."""
    low_x: float
    high_x: float
    value: float
    interval: tuple[float, float] | None
    """For more episodes of the same sources; of one parent or any, the interval that a row quotes."""
    episodes: int


class MeanRank(BaseModel):
    """The place of a learner, the mean over sources."""

    setting: str
    learner: str
    value: float
    interval: tuple[float, float]
    """For more episodes of the same sources."""


class ManySourcesResult(Result):
    """The result of a study of learners that are trained on one source and on many."""

    kind: str = "many sources"
    differences: list[SourceDifference] = Field(default_factory=list)
    points: list[CurvePoint] = Field(default_factory=list)
    ranks: list[MeanRank] = Field(default_factory=list)
    critical_difference: float | None = None
    """Of two mean ranks, after Nemenyi: learners whose ranks differ by more are distinguishable over other sources."""
    friedman: dict[str, float] = Field(default_factory=dict)
    """By setting, the p-value that all learners are equally good over sources."""
    sources: dict[str, str] = Field(default_factory=dict)
    """By label, what each source is and lacks."""
