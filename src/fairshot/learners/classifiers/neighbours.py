"""Nearest neighbours: with k = 1 a class is as near as its nearest support image.

With more, the k nearest images vote, and the nearest member decides between equal votes.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from fairshot.learners.learner import Classifier, TaskBatch
from fairshot.learners.solvers.similarity import Metric, similarity
from fairshot.runtime.errors import FairshotError
from fairshot.tasks.episodes import PAD


@dataclass(frozen=True)
class Neighbours(Classifier):
    """The k nearest support images vote."""

    k: int = 1
    metric: Metric = "l2"

    def __post_init__(self) -> None:
        if self.k < 1:
            raise FairshotError(f"k of neighbours is {self.k}: it must be at least 1")

    @property
    def shift_invariant(self) -> bool:
        """Distances are, directions are not."""
        return self.metric == "l2"

    def classify(self, batch: TaskBatch) -> Float[Tensor, "episode query way"]:
        """Similarity to the nearest member of each class, or votes."""
        support, query = batch.vectors
        alike = similarity(query, support, self.metric)
        alike = alike.masked_fill((batch.support_labels == PAD)[:, None, :], -torch.inf)
        labels = batch.support_labels.clamp(min=0)[:, None, :].expand_as(alike)
        empty = torch.full((*alike.shape[:2], batch.width), -torch.inf, dtype=alike.dtype)
        nearest = empty.scatter_reduce(2, labels, alike, "amax")
        if self.k == 1:
            return nearest
        last = alike.topk(min(self.k, alike.shape[2]), dim=2).values[:, :, -1:]
        voting = (alike >= last) & (alike > -torch.inf)  # images as near as the k-th vote too, so that no order matters
        votes = torch.zeros_like(empty).scatter_add(2, labels, voting.to(alike.dtype))
        # Nearness of each class's nearest member, between 0 and half a vote, decides between equal votes.
        gaps = nearest.amax(2, keepdim=True) - nearest
        scale = gaps.masked_fill(gaps == torch.inf, 0).mean(2, keepdim=True).clamp(min=torch.finfo(gaps.dtype).tiny)
        return votes + 0.5 / (1 + gaps / scale)
