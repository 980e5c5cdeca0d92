"""A Diagnosis: what the verb `diagnose` found out about one learner on one task."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar

from fairshot.evaluation.shown_episode import ShownEpisode
from fairshot.results.schema import SourceName
from fairshot.runtime.errors import unknown
from fairshot.statistics.geometry import Geometry
from fairshot.statistics.per_class import Rate, Rates
from fairshot.statistics.reliability import Bin
from fairshot.statistics.tails import Tails
from fairshot.tables.document import Document
from fairshot.tables.words import count_of


@dataclass(frozen=True, kw_only=True)
class Question:
    """What was asked: who answered which episodes."""

    learner: str
    task: str
    source: SourceName
    episodes: int
    episodes_key: str
    seed: int = 0
    settings: Mapping[str, Any] = field(default_factory=dict)
    fixed: bool = False
    """Whether the episodes are a published list, of which there are no more."""


@dataclass(frozen=True, kw_only=True)
class EpisodeScores:
    """The mean score of all episodes, and how the worst of them differ from it."""

    value: float
    intervals: Mapping[str, tuple[float, float] | None]
    tails: Tails
    metric: str = "accuracy"


@dataclass(frozen=True, kw_only=True)
class SupportRange:
    """Mean accuracy with the support sets that were drawn, and with those that a search found for the same queries."""

    episodes: int
    candidates: float
    """Other images that could be tried for each support image, on average."""
    worst: float
    drawn: float
    best: float
    method: str = "greedy search, one support image after the other: not the true extremes"


@dataclass(frozen=True, kw_only=True)
class Calibration:
    """How sure the learner said it was, against how often it was right."""

    ece: float
    """Mean calibration error of single episodes, which is biased upwards."""
    ece_of_calibrated: float
    """What a learner that is exactly as sure, and right just as often as it says, would get in such episodes."""
    brier: float
    pooled_ece: float
    """The calibration error of all queries together."""
    pooled_ece_of_calibrated: float
    table: tuple[Bin, ...]


@dataclass(frozen=True, kw_only=True)
class Times:
    """Wall time on this machine."""

    image_seconds: float
    """Reading and embedding one image."""
    images: int
    episode_seconds: float
    """Adapting to the support of one episode and answering its queries, in one thread, with images embedded before."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Diagnosis(Document):
    """What the mean hides: bad episodes, hard classes, support sets, calibration, embedding and time."""

    report_module: ClassVar[str] = "fairshot.reports.diagnosis"

    question: Question
    scores: EpisodeScores
    classes: Rates
    confused: tuple[Rate, ...] = ()
    """Pairs of classes that are taken for each other; none where they do not differ beyond noise."""
    support: SupportRange | None = None
    """None if no support sets were searched for."""
    calibration: Calibration
    geometry: Geometry
    times: Times
    notes: tuple[str, ...] = ()
    shown: tuple[ShownEpisode, ...] = field(default=(), compare=False)
    """The easiest, the median and the hardest episode, where there are images; these are not stored."""

    def in_brief(self) -> str:
        """Who answered what."""
        return f"{self.question.learner} on {self.question.source.name}"

    @property
    def value(self) -> float:
        """The mean accuracy of all episodes."""
        return self.scores.value

    def __getitem__(self, name: str) -> Rate:
        """How one class fared: `diagnosis["dog"]`."""
        by_name, name = {rate.name: rate for rate in self.classes.rows}, str(name)
        if name not in by_name:
            raise unknown("class", name, by_name)
        return by_name[name]

    def row(self) -> dict[str, Any]:
        """Everything about this learner and task."""
        question = asdict(self.question)
        asked = {name: question.pop(name) for name in ("learner", "task", "episodes", "episodes_key")}
        return {
            **asked,
            "part": self.question.source.name,
            **asdict(self.scores),
            "classes": asdict(self.classes),
            "confused": [asdict(rate) for rate in self.confused],
            "support": self.support and asdict(self.support),
            "calibration": asdict(self.calibration),
            "geometry": asdict(self.geometry),
            "times": asdict(self.times),
            "settings": question["settings"],
            "notes": list(self.notes),
            "fixed": question["fixed"],
        }

    def fields(self) -> dict[str, Any]:
        """One row, and the data and the episodes behind it."""
        return Diagnoses(rows=(self,)).fields()


@dataclass(frozen=True, kw_only=True, repr=False)
class Diagnoses(Document):
    """Several learners or tasks on the same data, one diagnosis after the other."""

    report_module: ClassVar[str] = "fairshot.reports.diagnosis"

    rows: tuple[Diagnosis, ...]

    def in_brief(self) -> str:
        """How many there are."""
        return count_of(len(self.rows), "diagnosis")

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Diagnosis]:
        return iter(self.rows)

    def __getitem__(self, number: int) -> Diagnosis:
        return self.rows[number]

    def fields(self) -> dict[str, Any]:
        """A row for each, and the data and the episodes behind them."""
        question = self.rows[0].question
        keys = sorted({diagnosis.question.episodes_key for diagnosis in self.rows})
        return {
            "seed": question.seed,
            "source": question.source.model_dump(),
            "episodes_key": keys[0] if len(keys) == 1 else None,
            "rows": [diagnosis.row() for diagnosis in self.rows],
        }
