"""Adjusted Rand index of clusters and classes (Hubert and Arabie 1985): pairs of images that both put together."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fairshot.metrics.metric import Judged, Metric, Values


@dataclass(frozen=True)
class Ari(Metric):
    """0 by chance, 1 if clusters are the classes, below 0 if they agree less than by chance."""

    higher_is_better: ClassVar = True
    needs_clusters: ClassVar = True

    def score(self, judged: Judged) -> Values:
        """The score of each episode."""
        assert judged.clustering is not None
        counts = judged.clustering.counts
        together, all_ = pairs(counts).sum((1, 2)), pairs(counts.sum((1, 2)))
        clusters, classes = pairs(counts.sum(2)).sum(1), pairs(counts.sum(1)).sum(1)
        chance = clusters * classes / np.maximum(all_, 1)
        most = (clusters + classes) / 2
        return np.where(most > chance, (together - chance) / np.where(most > chance, most - chance, 1), 1.0)


def pairs(counts: np.ndarray) -> np.ndarray:
    """How many pairs there are among so many."""
    return counts * (counts - 1) / 2
