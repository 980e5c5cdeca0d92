"""Expected calibration error (Guo et al. 2017): stated probability against share of right answers."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fairshot.metrics.metric import Judged, Metric, Values


@dataclass(frozen=True)
class Ece(Metric):
    """Queries in bins of equal width by the probability of the chosen class; weighted mean gap over the bins.

    An episode has few queries, so even a calibrated learner has an error above 0: compare it with another learner's.
    """

    higher_is_better: ClassVar = False
    bins: int = 10

    def score(self, judged: Judged) -> Values:
        """The score of each episode."""
        sure, known = judged.probabilities.max(axis=2), judged.known
        place = np.minimum((sure * self.bins).astype(np.int64), self.bins - 1)
        rows = np.broadcast_to(np.arange(len(sure))[:, None], sure.shape)
        gaps = np.zeros((len(sure), self.bins))
        np.add.at(gaps, (rows[known], place[known]), (judged.correct - sure)[known])
        return np.abs(gaps).sum(axis=1) / known.sum(axis=1)
