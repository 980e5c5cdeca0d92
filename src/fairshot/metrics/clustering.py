"""Clustering accuracy: the share of the support whose cluster is that of its class, after the best one-to-one match."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fairshot.metrics.metric import Judged, Metric, Values
from fairshot.runtime.assignment import UNMATCHED, match_clusters


@dataclass(frozen=True)
class Clustering(Metric):
    """Images that agree by images clustered; where there are more clusters than classes, the rest agree with none."""

    higher_is_better: ClassVar = True
    fraction: ClassVar = True
    needs_clusters: ClassVar = True

    def score(self, judged: Judged) -> Values:
        """The score of each episode."""
        assert judged.clustering is not None
        found = judged.clustering
        matched = match_clusters(found.counts, found.clusters, found.classes)
        agree = np.take_along_axis(found.counts, np.maximum(matched, 0)[:, None, :], 1)[:, 0]
        return np.where(matched == UNMATCHED, 0, agree).sum(1) / found.counts.sum((1, 2))
