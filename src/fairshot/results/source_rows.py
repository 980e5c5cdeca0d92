"""What is kept of a study of learners that are trained on one source and on many."""

from pydantic import BaseModel, Field

from fairshot.results.schema import Result


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
    low_x: float
    high_x: float
    value: float
    interval: tuple[float, float] | None
    """For more episodes of the same sources."""
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
    """Of two mean ranks, after Nemenyi: larger ones are told apart over other sources."""
    friedman: dict[str, float] = Field(default_factory=dict)
    """By setting, the p-value that all learners are equally good over sources."""
    sources: dict[str, str] = Field(default_factory=dict)
    """By label, what each source is and lacks."""
