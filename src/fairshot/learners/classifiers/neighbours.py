"""Nearest neighbours: with k = 1 a class is as near as its nearest support image; with more, the k nearest images vote and
the nearest member decides ties.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from fairshot.learners.learner import PAD, Classifier, TaskBatch
from fairshot.learners.similarity import Metric, similarity


@dataclass(frozen=True)
class Neighbours(Classifier):
    """The k nearest support images vote."""

    k: int = 1
    metric: Metric = "l2"

    def classify(self, batch: TaskBatch) -> Float[Tensor, "episode query way"]:
        """Similarity to the nearest member of each class, or votes."""
        support, query = batch.vectors
        alike = similarity(query, support, self.metric)
        alike = alike.masked_fill((batch.support_labels == PAD)[:, None, :], -torch.inf)
        labels = batch.support_labels.clamp(min=0)[:, None, :].expand_as(alike)
        empty = torch.full((*alike.shape[:2], batch.width), -torch.inf)
        nearest = empty.scatter_reduce(2, labels, alike, "amax")
        if self.k == 1:
            return nearest
        best, places = alike.topk(min(self.k, alike.shape[2]), dim=2)
        votes = torch.zeros_like(empty).scatter_add(2, labels.gather(2, places), (best > -torch.inf).to(alike.dtype))
        # Ranks 0 to way - 1 of the nearest members, scaled to less than one vote, decide between equal votes.
        return votes + nearest.argsort(dim=2).argsort(dim=2) / batch.width
