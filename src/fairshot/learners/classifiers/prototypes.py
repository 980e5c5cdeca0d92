"""Nearest prototype: a class is the mean of its support features (Snell et al., NeurIPS 2017).

`cosine` compares directions; `centred` subtracts the mean of the episode's support first, then compares directions
(after Wang et al., SimpleShot, 2019, who centre on base classes).
"""

from dataclasses import dataclass
from typing import Literal

from jaxtyping import Float
from torch import Tensor

from fairshot.learners.learner import Classifier, TaskBatch
from fairshot.learners.similarity import similarity
from fairshot.tasks.episodes import PAD


@dataclass(frozen=True)
class Prototypes(Classifier):
    """Nearest class mean."""

    metric: Literal["l2", "cosine", "centred"] = "l2"

    @property
    def shift_invariant(self) -> bool:
        """Distances are, directions are not."""
        return self.metric == "l2"

    def classify(self, batch: TaskBatch) -> Float[Tensor, "episode query way"]:
        """Similarity to each class mean."""
        support, query = batch.vectors
        members = batch.one_hot
        means = (members.mT @ support) / members.sum(1).clamp(min=1)[:, :, None]
        if self.metric == "centred":
            centre = support.sum(1, keepdim=True) / (batch.support_labels != PAD).sum(1)[:, None, None]
            means, query = means - centre, query - centre
        return similarity(query, means, "l2" if self.metric == "l2" else "cosine")
