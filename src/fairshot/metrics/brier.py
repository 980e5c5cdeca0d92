"""Squared distance between the predicted probabilities and the truth (Brier 1950), 0 to 2."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fairshot.metrics.metric import Judged, Metric, Values


@dataclass(frozen=True)
class Brier(Metric):
    """Mean over the queries of known classes."""

    higher_is_better: ClassVar = False

    def score(self, judged: Judged) -> Values:
        """The score of each episode."""
        predicted = judged.probabilities
        truth = np.arange(predicted.shape[2]) == judged.labels.numpy()[:, :, None]
        squares = ((predicted - truth) ** 2).sum(axis=2)
        return np.where(judged.known, squares, 0).sum(axis=1) / judged.known.sum(axis=1)
