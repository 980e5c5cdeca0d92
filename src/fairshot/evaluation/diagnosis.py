"""A Diagnosis: what the verb `diagnose` found out about one learner on one task."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fairshot.statistics.geometry import Geometry
from fairshot.statistics.per_class import Rate, Rates
from fairshot.statistics.reliability import Bin
from fairshot.statistics.tails import Tails


@dataclass(frozen=True)
class SupportRange:
    """Mean accuracy with the support sets that were drawn, and with those that a search found for the same queries."""

    episodes: int
    candidates: float
    """Other images that could be tried for each support image, on average."""
    worst: float
    drawn: float
    best: float
    method: str = "greedy search, one support image after the other: not the true extremes"


@dataclass(frozen=True)
class Calibration:
    """How sure the learner said it was, against how often it was right."""

    ece: float
    """Mean calibration error of single episodes, which is biased upwards."""
    ece_of_calibrated: float
    """What a learner that is exactly as sure, and right just as often as it says, would get in such episodes."""
    brier: float
    pooled_ece: float
    """Of all queries together."""
    pooled_ece_of_calibrated: float
    table: tuple[Bin, ...]


@dataclass(frozen=True)
class Times:
    """Wall time on this machine."""

    image_seconds: float
    """Reading and embedding one image."""
    images: int
    episode_seconds: float
    """Adapting to the support of one episode and answering its queries, in one thread, with images embedded before."""


@dataclass(frozen=True)
class Diagnosis:
    """Beside the mean: tails, classes, support sets, calibration, embedding and time."""

    learner: str
    task: str
    part: str
    episodes: int
    episodes_key: str
    value: float
    intervals: Mapping[str, tuple[float, float] | None]
    tails: Tails
    classes: Rates
    confused: tuple[Rate, ...]
    """Pairs of classes that are taken for each other; none where they do not differ beyond noise."""
    support: SupportRange | None
    calibration: Calibration
    geometry: Geometry
    times: Times
    metric: str = "accuracy"
    settings: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    fixed: bool = False
    """Whether the episodes are a published list, of which there are no more."""
