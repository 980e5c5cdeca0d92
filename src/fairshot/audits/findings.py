"""An Audit: what the verb `audit` found out about a benchmark, as values."""

from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Literal

from fairshot.checks.finding import Finding, find_named
from fairshot.results.schema import Row
from fairshot.statistics.comparison import Comparison
from fairshot.statistics.per_class import Rate
from fairshot.tables.document import Document

POINT = 0.01


def judged_by(headline: str) -> str:
    """Which other units an audit speaks of: parents where their interval should be quoted, else classes."""
    return "parents" if headline == "parents" else "classes"


@dataclass(frozen=True, kw_only=True)
class Distribution:
    """Whether the classes that are judged are those that were trained on, by construction of the split."""

    kind: Literal["in", "out", "none"]
    why: str
    base_tuples: float | None
    """Ordered choices of classes that training can meet."""
    own_tuples: float
    """Ordered choices of classes that an episode of the part can hold."""


@dataclass(frozen=True, kw_only=True)
class AuditedData:
    """The part that was audited."""

    part: str
    recipe: str
    images: int
    classes: int
    originals: int | None = None
    """How many classes there are when those that are made of one another count once; None where all count."""
    parents: int
    distribution: Distribution


@dataclass(frozen=True, kw_only=True)
class Question:
    """What was asked: two learners, the task, and how many episodes of it."""

    learner: str
    rival: str
    task: str
    episodes: int


@dataclass(frozen=True, kw_only=True)
class Accuracies:
    """The learner's accuracy on the usual episodes, on episodes within one parent, and without labels."""

    mean: Row
    within: Row | None
    """The same task within parents; None unless at least two parents have enough classes."""
    consistency: Row | None
    """The share of the accuracy that is left without labels (CSCC); None where nothing can be clustered."""

    @property
    def gap(self) -> float | None:
        """How much lower the accuracy is within one parent."""
        return None if self.within is None else self.mean.number - self.within.number


@dataclass(frozen=True, kw_only=True)
class Duel:
    """The learner against its rival."""

    comparison: Comparison
    flips: dict[str, float | None]
    """By the true lead in points: how often other units, as many as here, would show the other learner ahead."""

    @property
    def population(self) -> str:
        """Whether the units are classes or parents."""
        return judged_by(self.comparison.headline)


@dataclass(frozen=True, kw_only=True)
class Precision:
    """Half the width of intervals for other classes or parents, if there were so many of them."""

    population: str = "classes"
    units: int
    mean: float | None
    difference: float | None


@dataclass(frozen=True, kw_only=True)
class ClassSummary:
    """How many classes it takes, and which are hardest."""

    curve: tuple[Precision, ...]
    one_point: int | None
    """Classes or parents that bring half the width for a mean down to one point; None where no number of them does.

    0 where they do not differ beyond noise, so that nothing is known of how many it takes.
    """
    counted: int
    """How many there are; classes that are made of one another count once."""
    hardest: tuple[Rate, ...]


@dataclass(frozen=True, kw_only=True, repr=False)
class Audit(Document):
    """Whether a benchmark measures what one thinks, with the figures behind the verdict."""

    report_module: ClassVar[str] = "fairshot.reports.audits"

    data: AuditedData
    question: Question
    accuracy: Accuracies
    duel: Duel
    classes: ClassSummary
    findings: tuple[Finding, ...]
    """What the checks of the data saw."""
    notes: tuple[str, ...] = ()
    seconds: float = 0.0

    def in_brief(self) -> str:
        """What was audited."""
        return self.data.part

    @property
    def verdict(self) -> str:
        """Three sentences, a line each: what it judges, how sure it is, and what its classes mean."""
        return "\n".join(self._report().verdict(self))

    @property
    def advice(self) -> tuple[str, ...]:
        """What to change, the most serious first; nothing where there is nothing to change."""
        return self._report().advice(self)

    @property
    def gap(self) -> float | None:
        """How much lower the accuracy is within one parent."""
        return self.accuracy.gap

    def __getitem__(self, check: str) -> Finding:
        """What one check of the data saw: `audit["twins"]`."""
        return find_named(self.findings, check)

    def fields(self) -> dict[str, Any]:
        """All findings, with verdict and advice."""
        data = asdict(self.data)
        rows = {name: getattr(self.accuracy, name) for name in ("mean", "within", "consistency")}
        return {
            **{name: data[name] for name in ("part", "recipe", "images", "classes", "originals", "parents")},
            **asdict(self.question),
            "distribution": data["distribution"],
            **{name: row and row.model_dump() for name, row in rows.items()},
            **asdict(self.duel),
            "curve": [asdict(precision) for precision in self.classes.curve],
            "one_point": self.classes.one_point,
            "counted": self.classes.counted,
            "findings": [asdict(finding) for finding in self.findings],
            "worst": [asdict(rate) for rate in self.classes.hardest],
            "notes": list(self.notes),
            "seconds": self.seconds,
            "gap": self.gap,
            "verdict": self.verdict.splitlines(),
            "advice": list(self.advice),
        }
