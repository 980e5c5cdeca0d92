"""What an audit found, as values; `audit` finds it, and reports tell it."""

from dataclasses import dataclass

from fairshot.checks.finding import Finding
from fairshot.results.schema import Row
from fairshot.statistics.comparison import Comparison
from fairshot.statistics.per_class import Rate

POINT = 0.01


@dataclass(frozen=True)
class Distribution:
    """Whether what is judged is like what was trained on, by construction."""

    kind: str
    """`in`, `out` or `none`."""
    why: str
    base_tuples: float | None
    """Ordered choices of classes that training can meet."""
    own_tuples: float


@dataclass(frozen=True)
class Needed:
    """What so many classes would be worth: half the width of intervals for other classes."""

    classes: int
    mean: float | None
    difference: float | None


@dataclass(frozen=True)
class Audit:
    """All findings about one part."""

    part: str
    recipe: str
    images: int
    classes: int
    parents: int
    learner: str
    rival: str
    task: str
    episodes: int
    distribution: Distribution
    mean: Row
    within: Row | None
    """The same within parents, where there are some with enough classes."""
    consistency: Row | None
    comparison: Comparison
    flips: dict[str, float | None]
    """By true gap in points: how often other classes, as many as here, would turn the comparison round."""
    curve: tuple[Needed, ...]
    one_point: int | None
    """Classes that bring half the width down to one point."""
    findings: tuple[Finding, ...]
    worst: tuple[Rate, ...]
    notes: tuple[str, ...]
    seconds: float

    @property
    def gap(self) -> float | None:
        """What classes of one parent cost."""
        return None if self.within is None else self.mean.number - self.within.number
