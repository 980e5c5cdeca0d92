"""What was predicted for a person's images, and how far it can be trusted."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float
from scipy import stats

from fairshot.runtime.errors import FairshotError

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
    threshold: float | None = None
    """Below this confidence an image counts as unknown."""
    skipped: tuple[str, ...] = ()
    """What could not be read."""
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Prediction]:
        return iter(self.rows)

    def __getitem__(self, number: int) -> Prediction:
        return self.rows[number]


def expected_share(correct: Bool[np.ndarray, " query"]) -> Expected | None:
    """With Wilson's interval."""
    if not len(correct):
        return None
    right, images = int(correct.sum()), len(correct)
    interval = stats.binomtest(right, images).proportion_ci(LEVEL, "wilson")
    return Expected(right, images, right / images, float(interval.low), float(interval.high))


def lowest_known(sure: Float[np.ndarray, " query"], share: float) -> float:
    """Below it lies at most that share of images of known classes, as far as they are like those that are given.

    A new image is as likely to take any place among the n given ones, so the threshold is the k-th lowest of them with
    k = share * (n + 1), rounded down (a conformal quantile).
    """
    place = int(share * (len(sure) + 1) + 1e-9)
    if place < 1:
        least = int(np.ceil(1 / share - 1e-9)) - 1
        raise FairshotError(
            f"--unknown {share:g} needs at least {least} support images that the others can answer, and there are "
            f"{len(sure)}: give more support, or say --least 0.5 to go by the confidence alone"
        )
    return float(np.sort(sure)[place - 1])
