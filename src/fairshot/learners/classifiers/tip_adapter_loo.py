"""Tip-Adapter whose two settings are chosen by leave-one-out on the support, where others take a validation set.

Each support image is answered by the zero-shot logits and a cache without it; the pair of settings with the smallest
log-loss is taken.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import ClassVar

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import normalize

from fairshot.learners.chooser import Chooser
from fairshot.learners.classifiers.tip_adapter import TipAdapter, zero_shot
from fairshot.learners.learner import Classifier, TaskBatch
from fairshot.learners.solvers.leave_one_out import choose_by_loss


@dataclass(frozen=True)
class TipAdapterLoo(Chooser):
    """Zero-shot logits and a cache of the support, whose share and width are chosen inside the support."""

    scale: float = 100.0
    alphas: ClassVar = (0.1, 0.5, 1.0, 2.0, 5.0, 10.0)
    betas: ClassVar = (1.0, 3.0, 5.5, 10.0)

    @property
    def candidates(self) -> Mapping[str, Classifier]:
        """Tip-Adapter with each pair of settings."""
        return {
            f"alpha={alpha:g},beta={beta:g}": TipAdapter(alpha=alpha, beta=beta, scale=self.scale)
            for beta, alpha in product(self.betas, self.alphas)
        }

    def classify(self, batch: TaskBatch) -> Float[Tensor, "episode query way"]:
        """Logits of both together, at the chosen settings."""
        support, query = batch.vectors
        support, query = normalize(support, dim=-1), normalize(query, dim=-1)
        alike = support @ support.mT
        itself = torch.eye(alike.shape[1], dtype=torch.bool)
        caches = [(beta * (alike - 1)).exp().masked_fill(itself, 0) @ batch.one_hot for beta in self.betas]
        known = zero_shot(support, batch, self.scale)
        tried = torch.stack([known + alpha * cache for cache, alpha in product(caches, self.alphas)])
        chosen = choose_by_loss(tried, batch)
        beta = torch.tensor(self.betas)[chosen // len(self.alphas)][:, None, None]
        alpha = torch.tensor(self.alphas)[chosen % len(self.alphas)][:, None, None]
        return zero_shot(query, batch, self.scale) + alpha * ((beta * (query @ support.mT - 1)).exp() @ batch.one_hot)
