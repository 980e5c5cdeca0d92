"""What was predicted for a person's images, and how far it can be trusted."""

import csv
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from dataclasses import fields as dataclass_fields
from io import StringIO
from typing import Any, ClassVar, overload

import numpy as np
from jaxtyping import Bool
from scipy import stats

from fairshot.prediction.unknown_classes import Strangers
from fairshot.runtime.errors import unknown
from fairshot.runtime.visible_text import spreadsheet_text
from fairshot.tables.document import Document
from fairshot.tables.words import count_of

LEVEL = 0.95


@dataclass(frozen=True)
class Prediction:
    """The answer for one image."""

    file: str
    label: str
    """The likeliest class, also where the image counts as unknown."""
    confidence: float
    second: str
    """The next likeliest class."""
    second_confidence: float
    unknown: bool = False
    copy_of: str | None = None
    """The support image that it is an exact copy of."""
    truth: str | None = None
    """The class that the image's folder names, where all folders name one."""


@dataclass(frozen=True)
class Expected:
    """How often images were answered rightly: the support images by the others, or those whose folders tell."""

    right: int
    images: int
    value: float
    low: float
    high: float
    level: float = LEVEL


@dataclass(frozen=True, kw_only=True, repr=False)
class Predictions(Document):
    """One answer for each image that could be read, in the order of the images."""

    report_module: ClassVar[str] = "fairshot.reports.predictions"

    rows: tuple[Prediction, ...]
    learner: str
    support: str
    classes: tuple[str, ...]
    shots: tuple[int, ...]
    """Support images of each class."""
    recipe: str | None
    """How the images were prepared; None for feature vectors."""
    expected: Expected | None
    """How often support images were answered rightly; None if no class has two images."""
    scored: Expected | None = None
    """How many labels are those that the images' folders name; None where folders do not tell."""
    temperature: float | None
    """What logits were divided by; None if confidence is not calibrated."""
    strangers: Strangers | None = None
    """How images of unknown classes are recognised; None if nobody asked for it."""
    least: float | None = None
    """Below this confidence an image counts as unknown too."""
    skipped: tuple[str, ...] = ()
    """What could not be read."""
    notes: tuple[str, ...] = ()

    def in_brief(self) -> str:
        """How many images were labelled, and by what."""
        return f"{count_of(len(self.rows), 'image')} by {self.learner}"

    @property
    def labels(self) -> list[str]:
        """The likeliest class of each image."""
        return [row.label for row in self.rows]

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Prediction]:
        return iter(self.rows)

    @overload
    def __getitem__(self, chosen: int | str) -> Prediction: ...
    @overload
    def __getitem__(self, chosen: slice) -> tuple[Prediction, ...]: ...
    def __getitem__(self, chosen: int | str | slice) -> Prediction | tuple[Prediction, ...]:
        """By place, or by the name of the file: `predictions["new/a.png"]`."""
        if not isinstance(chosen, str):
            return self.rows[chosen]
        by_file = {row.file: row for row in self.rows}
        if chosen not in by_file:
            raise unknown("file", chosen, by_file)
        return by_file[chosen]

    def to_csv(self) -> str:
        """A line for every image, confidences with six digits."""
        names, text = [field.name for field in dataclass_fields(Prediction)], StringIO(newline="")
        writer = csv.writer(text)
        writer.writerow(names)
        writer.writerows([_csv_cell(getattr(row, name)) for name in names] for row in self.rows)
        return text.getvalue()

    def fields(self) -> dict[str, Any]:
        """Every answer, and what they are based on."""
        everything = asdict(self)
        return {"learner": everything.pop("learner"), **everything}


def _csv_cell(value: object) -> object:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return spreadsheet_text(value)
    return f"{value:.6f}" if isinstance(value, float) else value


def expected_share(correct: Bool[np.ndarray, " query"]) -> Expected | None:
    """The share of right answers with Wilson's interval; None without answers."""
    if not len(correct):
        return None
    right, images = int(correct.sum()), len(correct)
    interval = stats.binomtest(right, images).proportion_ci(LEVEL, "wilson")
    return Expected(right, images, right / images, float(interval.low), float(interval.high))
