"""Prototypes refined on the queries, which are taken to be balanced (after Hu et al., PT+MAP, 2021): transductive.

The queries are assigned to the prototypes such that every class gets the same number of them (Sinkhorn), and each
prototype moves to the mean of its support and its assigned queries. Where the classes are not balanced, this hurts.
"""

from dataclasses import dataclass
from typing import ClassVar

import torch
from jaxtyping import Float
from torch import Tensor

from fairshot.learners.learner import Classifier, TaskBatch
from fairshot.learners.solvers.similarity import similarity

ROUNDS = 20  # of making rows and columns sum to what they should


@dataclass(frozen=True)
class BalancedPrototypes(Classifier):
    """Nearest prototypes that have seen the queries."""

    transductive: ClassVar = True
    steps: int = 5
    """How often queries are assigned and prototypes moved."""
    sharpness: float = 10.0
    """How decidedly a query is assigned to the nearest prototype, in units of the mean distance."""

    @property
    def shift_invariant(self) -> bool:
        """Distances are."""
        return True

    def classify(self, batch: TaskBatch) -> Float[Tensor, "episode query way"]:
        """Logarithm of the share of each query that each class gets."""
        support, query = batch.vectors
        query = query.masked_fill(~batch.query_mask[:, :, None], 0)
        members = batch.one_hot
        count = members.sum(1)[:, :, None]
        shown = members.mT @ support
        assigned = self._assign(query, shown / count.clamp(min=1), batch)
        for _ in range(self.steps):
            share = assigned.exp() * batch.query_mask[:, :, None]
            means = (shown + share.mT @ query) / (count + share.sum(1)[:, :, None]).clamp(min=1)
            assigned = self._assign(query, means, batch)
        return assigned

    def _assign(
        self,
        query: Float[Tensor, "episode query feature"],
        means: Float[Tensor, "episode way feature"],
        batch: TaskBatch,
    ) -> Float[Tensor, "episode query way"]:
        """Log shares of each query that sum to 1 over classes, and over queries to the same for each class."""
        absent = (torch.arange(batch.width) >= batch.way[:, None])[:, None, :]
        asked = batch.query_mask[:, :, None]
        alike = similarity(query, means, "l2")
        real = asked & ~absent
        scale = (alike * real).sum((1, 2), keepdim=True).abs() / real.sum((1, 2), keepdim=True).clamp(min=1)
        logits = self.sharpness * alike / scale.clamp(min=torch.finfo(alike.dtype).tiny)
        logits = logits.masked_fill(absent, -torch.inf)
        log_share = (batch.query_mask.sum(1) / batch.way).log()[:, None, None]
        for _ in range(ROUNDS):
            logits = logits - logits.logsumexp(2, keepdim=True)
            columns = logits.masked_fill(~asked, -torch.inf).logsumexp(1, keepdim=True)
            logits = logits - (columns - log_share).masked_fill(absent, 0.0)
        return logits - logits.logsumexp(2, keepdim=True)
