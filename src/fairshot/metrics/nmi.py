"""Normalised mutual information of clusters and classes, divided by the mean of their entropies."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from jaxtyping import Float
from scipy.special import xlogy

from fairshot.metrics.metric import Judged, Metric, Values


@dataclass(frozen=True)
class Nmi(Metric):
    """0: clusters tell nothing about classes; 1: they are the classes. By chance it is above 0."""

    higher_is_better: ClassVar = True
    fraction: ClassVar = True
    needs_clusters: ClassVar = True

    def score(self, judged: Judged) -> Values:
        """The score of each episode."""
        assert judged.clustering is not None
        counts = judged.clustering.counts
        shares = counts / counts.sum((1, 2), keepdims=True)
        clusters, classes = entropy(shares.sum(2)), entropy(shares.sum(1))
        mutual = clusters + classes - entropy(shares.reshape(len(shares), -1))
        both = (clusters + classes) / 2
        return np.where(both > 0, np.clip(mutual, 0, None) / np.where(both > 0, both, 1), 1.0)


def entropy(shares: Float[np.ndarray, "episode part"]) -> Values:
    """In nats."""
    return -xlogy(shares, shares).sum(1)
