"""Ridge regression onto one-hot targets of -1 and 1, in closed form for all tasks at once, with an intercept."""

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from fairshot.learners.learner import Classifier, TaskBatch
from fairshot.runtime.errors import FairshotError
from fairshot.tasks.episodes import PAD


@dataclass(frozen=True)
class Ridge(Classifier):
    """Linear regression with an L2 penalty of `strength`."""

    strength: float = 1.0

    def __post_init__(self) -> None:
        if self.strength <= 0:
            raise FairshotError(f"strength of ridge is {self.strength:g}: it must be above 0")

    def classify(self, batch: TaskBatch) -> Float[Tensor, "episode query way"]:
        """The predicted targets; solved in the space of support images, which are fewer than features."""
        support, query = batch.vectors
        real = (batch.support_labels != PAD)[:, :, None].to(support.dtype)
        count = real.sum(1, keepdim=True)
        targets = (2 * batch.one_hot - 1) * real
        centre, level = support.sum(1, keepdim=True) / count, targets.sum(1, keepdim=True) / count
        support, targets = (support - centre) * real, (targets - level) * real
        gram = support @ support.mT + self.strength * torch.eye(support.shape[1])
        weights = support.mT @ torch.linalg.solve(gram, targets)
        return (query - centre) @ weights + level
