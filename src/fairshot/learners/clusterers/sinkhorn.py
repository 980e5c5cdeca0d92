"""Sinkhorn K-means on any features: clusters of equal or given sizes (Huang et al., Centroid Networks, 2019).

How soft clusters are depends on the scale of the features: unless told otherwise, gamma is in units of their mean
squared deviation from the episode's mean, so that features of any scale can be clustered.
"""

from dataclasses import dataclass

from jaxtyping import Int
from torch import Tensor

from fairshot.learners.learner import Clusters, TaskBatch
from fairshot.learners.solvers.centroids import in_units
from fairshot.learners.solvers.sinkhorn_kmeans import SinkhornKmeans


@dataclass(frozen=True)
class Sinkhorn(SinkhornKmeans):
    """Balanced clusters."""

    gamma: float = 0.05
    relative: bool = True
    """Whether gamma is in units of the features' squared deviation; otherwise of the features themselves."""

    def cluster(self, batch: TaskBatch, sizes: Int[Tensor, "episode way"]) -> Clusters:
        """Of features in units of their deviation."""
        return super().cluster(in_units(batch) if self.relative else batch, sizes)
