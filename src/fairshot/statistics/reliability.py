"""Does a learner that says 80% get 80% right? Over all queries of all episodes together.

The calibration error of one episode is biased upwards: with few queries in a bin, the share of right answers is off by
chance. All queries together leave next to nothing of that.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float

BINS = 10


@dataclass(frozen=True)
class Bin:
    """Queries of which the learner was about equally sure."""

    low: float
    high: float
    queries: int
    stated: float | None
    """Mean probability that the learner gave its answer; None without queries."""
    right: float | None
    """Share of right answers."""


def reliability(
    sure: Float[np.ndarray, " query"], right: Bool[np.ndarray, " query"], bins: int = BINS
) -> tuple[Bin, ...]:
    """Bins of equal width; a probability on a border belongs to the upper bin."""
    place = np.minimum((sure * bins).astype(np.int64), bins - 1)
    counts = np.bincount(place, minlength=bins)
    stated, hits = np.bincount(place, sure, bins), np.bincount(place, right, bins)
    return tuple(
        Bin(
            at / bins, (at + 1) / bins, int(n), float(stated[at] / n) if n else None, float(hits[at] / n) if n else None
        )
        for at, n in enumerate(counts)
    )


def pooled_error(table: tuple[Bin, ...]) -> float:
    """The expected calibration error of all queries as one."""
    gaps = [b.queries * abs(b.right - b.stated) for b in table if b.right is not None and b.stated is not None]
    return sum(gaps) / sum(b.queries for b in table)
