"""Prototypes with a zero-shot prior whose weight is chosen by leave-one-out on the support.

Each support image is answered by prototypes that it is not part of, at every weight; the weight with the smallest
log-loss is taken.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import normalize

from fairshot.learners.chooser import Chooser
from fairshot.learners.classifiers.prior_prototypes import PriorPrototypes, with_prior
from fairshot.learners.learner import Classifier, TaskBatch
from fairshot.learners.solvers.leave_one_out import choose_by_loss, of_chosen


@dataclass(frozen=True)
class PriorPrototypesLoo(Chooser):
    """Nearest class direction; how many images the class vector counts as is chosen inside the support."""

    scale: float = 100.0
    weights: ClassVar = (0.0, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 64.0)

    @property
    def candidates(self) -> Mapping[str, Classifier]:
        """Prototypes with each weight of the prior."""
        return {f"weight={weight:g}": PriorPrototypes(weight=weight, scale=self.scale) for weight in self.weights}

    def classify(self, batch: TaskBatch) -> Float[Tensor, "episode query way"]:
        """The cosine with each prototype of the chosen weight, scaled."""
        support, query = batch.vectors
        support, query = normalize(support, dim=-1), normalize(query, dim=-1)
        sums = batch.one_hot.mT @ support
        tried = torch.stack([self._left_out(batch, support, sums, weight) for weight in self.weights])
        chosen = choose_by_loss(tried, batch)
        prototypes = torch.stack([normalize(with_prior(sums, batch, weight), dim=-1) for weight in self.weights])
        return self.scale * query @ of_chosen(prototypes, chosen).mT

    def _left_out(
        self,
        batch: TaskBatch,
        support: Float[Tensor, "episode support feature"],
        sums: Float[Tensor, "episode way feature"],
        weight: float,
    ) -> Float[Tensor, "episode support way"]:
        """What each support image is answered by prototypes without it; only that of its own class is another one."""
        whole = with_prior(sums, batch, weight)
        members = batch.one_hot
        own = normalize(members @ whole - support, dim=-1)
        others = support @ normalize(whole, dim=-1).mT
        alone = (own * support).sum(-1, keepdim=True)
        return self.scale * (others * (1 - members) + alone * members)
