"""What `score` found: an object to index, print, save and draw. Its fields are the stored schema."""

import importlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, Field, PrivateAttr

from fairshot.results.schema import Result, Row, without_checksum, write_result
from fairshot.runtime.arguments import checked
from fairshot.runtime.checksums import DamagedError
from fairshot.runtime.errors import FairshotError, unknown
from fairshot.runtime.files import require_ending
from fairshot.scoring.concepts import Concept, Exemplars, Gallery
from fairshot.specs.registry import find_class, names
from fairshot.tables.table import Table, Unit
from fairshot.tables.tabular import Tabular

if TYPE_CHECKING:
    from fairshot.scoring.set_scores import SetScores

HUMAN = "human"
SURE = 0.05  # p below which a difference is called clear, after Holm


class MeasureNote(BaseModel):
    """What a reader must know about a measure."""

    about: str = ""
    unit: Unit = ""
    higher_is_better: bool = True


class BandScore(BaseModel):
    """Samples of about the same originality, beside people's drawings."""

    low: float
    high: float
    share: float
    recognizability: float | None
    human: float


class RankScore(BaseModel):
    """Samples of the same rank of originality within their classes: the mean over classes."""

    originality: float
    recognizability: float


class PublishedModel(BaseModel):
    """A model of Boutin et al. 2022 at its published position, and the sets here that are drawn by it."""

    name: str
    diversity: float
    recognizability: float
    samples: list[str]


class SuitedConcepts(BaseModel):
    """Whether the first of two sets is farther from people than the second where there is more to draw."""

    first: str
    second: str
    amount: str
    """What there is more or less of: the length of lines, ink, strokes."""
    spearman: float
    """Of the amount and of how much farther the first is from people, over classes."""
    p: float
    interval: tuple[float, float] | None
    concepts: dict[str, list[str]]
    """By set, the classes on which it is nearest to people."""
    means: dict[str, float]
    """By set, the mean amount of these classes."""
    mean: float
    """The mean amount of all classes."""


class ClassScores(BaseModel):
    """One class of one set of samples."""

    samples: str
    name: str
    exemplar: int
    """The image that stands for it, as an image id of the source."""
    values: dict[str, float]


class CriticAgreement(BaseModel):
    """Whether two measures order the classes of people's drawings alike."""

    first: str
    second: str
    spearman: float
    p: float
    r_squared: float
    interval: tuple[float, float] | None = None
    """Of the rank correlation, for other classes of this kind, or for other parents where classes come in some."""


class SetDifference(BaseModel):
    """How much larger a measure of the first set is than of the second, class by class and in the same trials."""

    first: str
    second: str
    metric: str
    value: float
    interval: tuple[float, float] | None
    population: str
    """What the interval and p are for: other classes, or other parents with classes of their own."""
    p: float | None
    """How often a difference as large would come about if there were none."""
    holm: float | None
    """The p after Holm's correction, over all pairs of that measure."""
    flips: float | None
    """How likely as many other classes show the other sign, were the difference as found."""
    note: str = ""
    """Why there is no interval."""

    @property
    def is_clear(self) -> bool:
        """Whether there is a difference, after Holm's correction."""
        return self.holm is not None and self.holm < SURE

    def reverse(self) -> "SetDifference":
        """The second set minus the first."""
        interval = None if self.interval is None else (-self.interval[1], -self.interval[0])
        changes = {"first": self.second, "second": self.first, "value": -self.value, "interval": interval}
        return self.model_copy(update=changes)


@dataclass(frozen=True, eq=False)
class SeenImages:
    """The images behind scores, which are kept in memory and not in files."""

    make_gallery: Callable[[], Gallery]
    make_sheets: Callable[[], dict[str, list[Concept]]]
    exemplars: Exemplars


class SampleScores(Tabular, Result):
    """Every measure of every set of samples, the drawings of people among them; a row for each.

    `scores["mine"].diversity` is a number with its interval, `scores.difference("mine", "human", "recognizability")` a
    paired difference, `print(scores)` the report.
    """

    verdict: str = ""
    """Which set is nearest to people, in a sentence."""
    critic: str
    critics: dict[str, Any]
    recogniser: str
    classes: int
    samples_a_class: dict[str, int]
    """The fewest of each set."""
    way: int
    times: int
    """How often each class was asked for."""
    pool: dict[str, tuple[float, float]]
    """Diversity and recognizability of all that was compared, from which `pooled_distances` can be made."""
    neighbours: int | None
    by_class: list[ClassScores]
    originality: dict[str, list[BandScore]]
    originality_ranks: dict[str, list[RankScore]] = Field(default_factory=dict)
    """By set, people among them, from the least to the most original tenth of each class."""
    differences: list[SetDifference] = Field(default_factory=list)
    """Of every two sets, and of each and people."""
    agreement: list[CriticAgreement]
    complexity: list[CriticAgreement] = Field(default_factory=list)
    """Whether people differ more where there is more to draw: each critic beside the strokes, their length, the ink."""
    suited: list[SuitedConcepts] = Field(default_factory=list)
    """Of every two sets, which concepts suit which."""
    published: list[PublishedModel] = Field(default_factory=list)
    """The paper's models, where the critics, the trials and the characters are the paper's."""
    measures: dict[str, MeasureNote] = Field(default_factory=dict)
    """What each measure is, in the order of tables; files of earlier versions leave it to the package."""
    _images: SeenImages | None = PrivateAttr(default=None)

    def in_brief(self) -> str:
        """Which samples were scored."""
        return ", ".join(dict.fromkeys(row.learner for row in self.rows))

    @classmethod
    def load(cls, path: Path | str) -> "SampleScores":
        """What `save`, or `fairshot score --json`, wrote into a file."""
        try:
            document = without_checksum(json.loads(Path(path).read_text(encoding="utf-8")))
            scores = cls.model_validate({"statistics": 1} | document)
        except DamagedError as error:
            raise DamagedError(f"{path}: {error}") from error
        except (OSError, TypeError, ValueError, AttributeError, RecursionError) as error:
            raise FairshotError(
                f"{path} holds no scores of samples: make such a file with 'fairshot score ... --json > {path}'"
            ) from error
        scores.measures = scores.measures or package_measures()
        return scores

    @checked
    def save(self, path: Path | str) -> Path:
        """Writes a JSON file, whole or not at all; images are not kept."""
        path = require_ending(Path(path), (".json",), "a file in JSON")
        write_result(self, path)
        return path

    def to_json(self, command: Sequence[str] = ()) -> str:
        """One JSON object with everything but the images, as `--json` prints it; with the command that gave it."""
        return (self.model_copy(update={"command": list(command)}) if command else self).json_text()

    @property
    def sets(self) -> list[str]:
        """The names of all sets, people last."""
        return list(dict.fromkeys(row.learner for row in self.rows))

    def __getitem__(self, name: str) -> "SetScores":
        if name not in self.sets:
            raise unknown("set of samples", name, self.sets)
        return importlib.import_module("fairshot.scoring.set_scores").SetScores(self, name)

    def row(self, samples: str, metric: str) -> Row | None:
        """One measure of one set of samples, if there is one."""
        return next((row for row in self.rows if (row.learner, row.metric) == (samples, metric)), None)

    def measure(self, name: str) -> MeasureNote:
        """What a measure is."""
        return self.measure_notes.get(name, MeasureNote())

    @property
    def measure_notes(self) -> dict[str, MeasureNote]:
        """What each measure is, in the order of tables."""
        return self.measures or package_measures()

    def difference(self, first: str, second: str, measure: str) -> SetDifference:
        """How much larger a measure of the first set is than of the second: a value, its interval and a p."""
        for difference in self.differences:
            if difference.metric == measure and {difference.first, difference.second} == {first, second}:
                return difference if difference.first == first else difference.reverse()
        pairs = [f"{each.first} and {each.second} by {each.metric}" for each in self.differences]
        raise unknown("difference of", f"{first} and {second} by {measure}", pairs)

    def summary(self) -> str:
        """The verdict: which set is nearest to people; nothing where people alone were looked at."""
        return self.verdict

    def tables(self) -> list[Table]:
        """The axes, the differences of sets, further measures, originality and the agreement of critics."""
        return importlib.import_module("fairshot.scoring.score_tables").score_tables(self)

    @property
    def has_images(self) -> bool:
        """Whether samples can be looked at, which those that were loaded from a file cannot."""
        return self._images is not None

    def gallery(self) -> Gallery:
        """The images of all sets, to be looked at."""
        return self._seen.make_gallery()

    def sheets(self) -> dict[str, list[Concept]]:
        """For every set the same classes at random, with drawings of each; quicker than the gallery."""
        return self._seen.make_sheets()

    def pictures(self, folder: Path | str) -> list[Path]:
        """Writes SVG files: the plane, originality and, unless the scores were loaded from a file, the images too."""
        reports = importlib.import_module("fairshot.reports.pictures")
        reports.refuse_pictures(Path(folder))
        return reports.write_pictures(self, self.gallery() if self._images else None, Path(folder))

    @property
    def exemplars(self) -> Exemplars:
        """What generators were shown of every class, with the names of the classes."""
        return self._seen.exemplars

    @property
    def _seen(self) -> SeenImages:
        if self._images is None:
            raise FairshotError("scores that were loaded from a file hold no images: score the samples anew")
        return self._images


def package_measures() -> dict[str, MeasureNote]:
    """What the measures of the package are, in the order of tables."""
    measures = [find_class("measures", name)() for name in names("measures")]
    return {measure.name: note_on(measure) for measure in sorted(measures, key=lambda measure: measure.place)}


def note_on(measure: Any) -> MeasureNote:
    """What a reader must know about a measure."""
    return MeasureNote(about=measure.about, unit=measure.unit, higher_is_better=measure.higher_is_better)


def for_others(row: Row) -> tuple[float, float] | None:
    """The interval for other classes: of other parents too, where classes come in some and count one by one."""
    return row.intervals.get("parents") or row.intervals.get("classes")
