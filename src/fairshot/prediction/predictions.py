"""What was predicted for a person's images, and how far it can be trusted."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import overload

import numpy as np
from jaxtyping import Bool
from scipy import stats

from fairshot.prediction.unknown_classes import Strangers

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
    """The support image that it is byte for byte."""


@dataclass(frozen=True)
class Expected:
    """How often the support images themselves were answered rightly by the others, with one image a class fewer."""

    right: int
    images: int
    value: float
    low: float
    high: float
    level: float = LEVEL


@dataclass(frozen=True)
class Predictions:
    """One answer for each image that could be read, in the order of the images."""

    rows: tuple[Prediction, ...]
    support: str
    classes: tuple[str, ...]
    shots: tuple[int, ...]
    """Support images of each class."""
    recipe: str | None
    """None for feature vectors."""
    expected: Expected | None
    """None if no class has two images."""
    temperature: float | None
    """What logits were divided by; None if confidence is not calibrated."""
    strangers: Strangers | None = None
    """How images of unknown classes are told; None if nobody asked for it."""
    least: float | None = None
    """Below this confidence an image counts as unknown too."""
    skipped: tuple[str, ...] = ()
    """What could not be read."""
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Prediction]:
        return iter(self.rows)

    @overload
    def __getitem__(self, chosen: int) -> Prediction: ...
    @overload
    def __getitem__(self, chosen: slice) -> tuple[Prediction, ...]: ...
    def __getitem__(self, chosen: int | slice) -> Prediction | tuple[Prediction, ...]:
        return self.rows[chosen]


def expected_share(correct: Bool[np.ndarray, " query"]) -> Expected | None:
    """With Wilson's interval."""
    if not len(correct):
        return None
    right, images = int(correct.sum()), len(correct)
    interval = stats.binomtest(right, images).proportion_ci(LEVEL, "wilson")
    return Expected(right, images, right / images, float(interval.low), float(interval.high))
