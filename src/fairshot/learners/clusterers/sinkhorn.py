"""Sinkhorn K-means on any features: clusters of equal or given sizes (Huang et al., Centroid Networks, 2019).

How soft clusters are depends on the scale of the features: unless told otherwise, gamma is in units of their mean
squared deviation from the episode's mean, so that features of any scale can be clustered.
"""

from dataclasses import dataclass, replace

import torch
from jaxtyping import Int
from torch import Tensor

from fairshot.learners.learner import Clusters, TaskBatch
from fairshot.learners.sinkhorn_kmeans import SinkhornKmeans
from fairshot.tasks.episodes import PAD


@dataclass(frozen=True)
class Sinkhorn(SinkhornKmeans):
    """Balanced clusters."""

    gamma: float = 0.05
    relative: bool = True
    """Whether gamma is in units of the features' squared deviation; otherwise of the features themselves."""

    def cluster(self, batch: TaskBatch, sizes: Int[Tensor, "episode way"]) -> Clusters:
        """Of features in units of their deviation."""
        if not self.relative:
            return super().cluster(batch, sizes)
        support, query = batch.vectors
        real = (batch.support_labels != PAD)[:, :, None]
        mean = support.sum(1, keepdim=True) / real.sum(1, keepdim=True)
        squares = ((support - mean) * real).square().sum((1, 2), keepdim=True) / real.sum(1, keepdim=True)
        unit = squares.sqrt().clamp(min=torch.finfo(support.dtype).tiny)
        return super().cluster(replace(batch, support=support / unit, query=query / unit), sizes)
