"""Ridge regression whose strength is chosen by leave-one-out on the support, in closed form for all tasks at once.

Each support image is predicted from the others at every strength; the strength with the smallest squared error is taken
(PRESS; Allen 1974). One eigendecomposition of the support serves all strengths and all left-out images, so that no
validation set is needed and the choice costs little more than the regression itself.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import torch
from jaxtyping import Float, Float64
from torch import Tensor

from fairshot.learners.chooser import Chooser
from fairshot.learners.classifiers.ridge import Ridge
from fairshot.learners.learner import Classifier, TaskBatch
from fairshot.learners.solvers.leave_one_out import of_chosen
from fairshot.tasks.episodes import PAD

FLAT = 1e-12  # an eigenvalue below this share of the largest is 0 but for rounding
SURE = 1e-9  # a support image that decides its own prediction to this degree cannot be left out


@dataclass(frozen=True)
class RidgeLoo(Chooser):
    """Linear regression onto -1 and 1, its strength by leave-one-out, in units of the support's squared deviation."""

    strengths: ClassVar = (0.001, 0.01, 0.1, 1.0, 10.0, 100.0, 1000.0)

    @property
    def shift_invariant(self) -> bool:
        """By its intercept."""
        return True

    @property
    def candidates(self) -> Mapping[str, Classifier]:
        """Ridge regression with each strength."""
        return {f"strength={strength:g}": Ridge(strength=strength) for strength in self.strengths}

    def classify(self, batch: TaskBatch) -> Float[Tensor, "episode query way"]:
        """The predicted targets."""
        support, query = batch.vectors
        real = (batch.support_labels != PAD)[:, :, None].double()
        count = real.sum(1, keepdim=True)
        targets = (2 * batch.one_hot.double() - 1) * real
        centre, level = support.double().sum(1, keepdim=True) / count, targets.sum(1, keepdim=True) / count
        vectors, targets = (support.double() - centre) * real, (targets - level) * real
        squares = vectors.square().sum((1, 2)) / count[:, 0, 0]
        unit = squares.where(squares > 0, 1)
        values, axes = _axes(vectors)
        penalties = torch.tensor(self.strengths, dtype=torch.float64)[:, None] * unit
        loads = axes.mT @ targets
        errors = torch.stack([_press(values, axes, loads, targets, real / count, own) for own in penalties])
        chosen = of_chosen(penalties, errors.argmin(0))
        weights = vectors.mT @ (axes @ (loads / (values + chosen[:, None])[:, :, None]))
        return torch.baddbmm((level - centre @ weights).to(query.dtype), query, weights.to(query.dtype))


def _axes(
    vectors: Float64[Tensor, "episode support feature"],
) -> tuple[Float64[Tensor, "episode axis"], Float64[Tensor, "episode support axis"]]:
    """Eigenvalues and eigenvectors of the support's products, by the smaller of two decompositions."""
    count, width = vectors.shape[1:]
    if count <= width:
        values, axes = torch.linalg.eigh(vectors @ vectors.mT)
        kept = values > FLAT * values.amax(1, keepdim=True).clamp(min=torch.finfo(torch.float64).tiny)
        return values.clamp(min=0), axes * kept[:, None]
    values, directions = torch.linalg.eigh(vectors.mT @ vectors)
    kept = values > FLAT * values.amax(1, keepdim=True).clamp(min=torch.finfo(torch.float64).tiny)
    length = values.where(kept, 1).sqrt()
    return values.clamp(min=0), (vectors @ directions) / length[:, None] * kept[:, None]


def _press(
    values: Float64[Tensor, "episode axis"],
    axes: Float64[Tensor, "episode support axis"],
    loads: Float64[Tensor, "episode axis way"],
    targets: Float64[Tensor, "episode support way"],
    mean_part: Float64[Tensor, "episode support 1"],
    penalty: Float64[Tensor, " episode"],
) -> Float64[Tensor, " episode"]:
    """The sum of squared errors of support images, each predicted from the others."""
    shrunk = values / (values + penalty[:, None])
    errors = targets - axes @ (loads * shrunk[:, :, None])
    leverage = (axes.square() @ shrunk[:, :, None]) + mean_part
    return (errors / (1 - leverage).clamp(min=SURE)).square().sum((1, 2))
