"""The share of queries that were answered wrongly, as older papers print it."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from jaxtyping import Bool, Float

from fairshot.metrics.metric import Metric


@dataclass(frozen=True)
class Error(Metric):
    """Wrong queries by queries asked."""

    higher_is_better: ClassVar = False

    def score(
        self, correct: Bool[np.ndarray, "episode query"], asked: Bool[np.ndarray, "episode query"]
    ) -> Float[np.ndarray, " episode"]:
        """Error of each episode."""
        return (~correct & asked).sum(axis=1) / asked.sum(axis=1)
