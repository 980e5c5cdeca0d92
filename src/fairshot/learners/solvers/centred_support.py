"""The support around its mean, with all digits: what linear regression onto -1 and 1 with an intercept is made of.

Every array as large as the support is a matter of milliseconds, so it is gone through as rarely as possible.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Float, Float64
from torch import Tensor

from fairshot.learners.learner import TaskBatch
from fairshot.learners.solvers.linear import class_sums
from fairshot.tasks.episodes import PAD


@dataclass(frozen=True, eq=False)
class CentredSupport:
    """The support of some tasks, and the sums that a regression needs of it."""

    vectors: Float64[Tensor, "episode support feature"]
    """Without the mean; zero where there is padding."""
    centre: Float64[Tensor, "episode 1 feature"]
    level: Float64[Tensor, "episode 1 way"]
    """The mean target of each class."""
    count: Float64[Tensor, "episode 1 1"]
    loads: Float64[Tensor, "episode feature way"]
    """Products of features and targets; the support is centred, so what all targets have in common drops out."""

    @classmethod
    def of(cls, support: Float[Tensor, "episode support feature"], batch: TaskBatch) -> "CentredSupport":
        """The support that a batch has, as vectors."""
        counts = batch.class_counts.double()
        count = counts.sum(1)[:, None, None]
        vectors = support.to(torch.float64, copy=True)
        sums = class_sums(vectors, batch)
        centre = sums.sum(1, keepdim=True) / count
        vectors -= centre
        padding = batch.support_labels == PAD
        if padding.any():
            vectors = vectors.masked_fill(padding[:, :, None], 0)
        loads = 2 * (sums - counts[:, :, None] * centre).mT
        return cls(vectors, centre, 2 * counts[:, None] / count - 1, count, loads)

    @property
    def unit(self) -> Float64[Tensor, "episode 1 1"]:
        """The mean squared deviation of the support, or 1 where all of it is the same."""
        squares = torch.linalg.vector_norm(self.vectors, dim=(1, 2), keepdim=True).square() / self.count
        return squares.where(squares > 0, 1)

    def targets(self, batch: TaskBatch) -> Float64[Tensor, "episode support way"]:
        """What each support image is regressed onto, without the mean; zero where there is padding."""
        real = (batch.support_labels != PAD)[:, :, None]
        return (2 * batch.one_hot.double() - 1 - self.level) * real

    def offset(self, weights: Float64[Tensor, "episode feature way"]) -> Float64[Tensor, "episode way"]:
        """The intercept that goes with some weights."""
        return (self.level - self.centre @ weights)[:, 0]
