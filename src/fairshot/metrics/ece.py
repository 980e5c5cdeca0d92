"""Expected calibration error (Guo et al. 2017): stated probability against share of right answers."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from jaxtyping import Float

from fairshot.metrics.metric import Judged, Metric, Queries, Values
from fairshot.runtime.errors import FairshotError

MOST_BINS = 1000  # more than an episode has queries: more would all be empty


@dataclass(frozen=True)
class Ece(Metric):
    """Queries in bins of equal width by the probability of the chosen class; weighted mean gap over the bins.

    An episode has few queries, so even a calibrated learner has an error above 0: compare it with another learner's.
    """

    higher_is_better: ClassVar = False
    bins: int = 10

    def __post_init__(self) -> None:
        if not 1 <= self.bins <= MOST_BINS:
            raise FairshotError(f"bins of ece is {self.bins}: it must be from 1 to {MOST_BINS}")

    def score(self, judged: Judged) -> Values:
        """The score of each episode."""
        return binned_gap(judged.probabilities.max(axis=2), judged.correct, judged.known, self.bins)


def binned_gap(sure: Float[np.ndarray, "episode query"], right: Queries, counted: Queries, bins: int = 10) -> Values:
    """For each episode the gap between how sure and how often right, weighted over the bins of its counted queries."""
    rows = np.nonzero(counted)[0]
    place = np.minimum((sure[counted] * bins).astype(np.int64), bins - 1)
    gaps = np.zeros((len(sure), bins))
    np.add.at(gaps, (rows, place), right[counted] - sure[counted])
    return np.abs(gaps).sum(axis=1) / counted.sum(axis=1)
