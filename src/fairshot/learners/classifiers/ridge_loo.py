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
from fairshot.learners.solvers.centred_support import CentredSupport
from fairshot.learners.solvers.leave_one_out import of_chosen
from fairshot.learners.solvers.linear import linear_logits
from fairshot.learners.solvers.ridge_regression import own_products
from fairshot.tasks.episodes import PAD

FLAT = 1e-12  # an eigenvalue below this share of the largest is 0 but for rounding
SURE = 1e-6  # a support image that decides its own prediction to this degree cannot be left out


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
        centred = CentredSupport.of(support, batch)
        targets, real = centred.targets(batch), (batch.support_labels != PAD)[:, :, None].double()
        penalties = torch.tensor(self.strengths, dtype=torch.float64)[:, None] * centred.unit[:, 0, 0]
        solution = _decompose(centred.vectors, targets, centred.loads)
        errors = solution.left_out_errors(penalties, targets, real / centred.count)
        weights = solution.weights(of_chosen(penalties, errors.argmin(0)))
        return linear_logits(query, weights.mT.to(query.dtype), centred.offset(weights).to(query.dtype))


@dataclass(frozen=True, eq=False)
class _Solution:
    """The regression at every strength, from one decomposition of the support."""

    values: Float64[Tensor, "episode axis"]
    """Eigenvalues of the support's products."""
    axes: Float[Tensor, "episode support axis"]
    """Where support images lie on axes of length 1; these serve the choice alone, so single precision will do."""
    directions: Float64[Tensor, "episode feature axis"]
    """The same axes in the space of features, each as long as the root of its eigenvalue."""
    loads: Float64[Tensor, "episode axis way"]
    """Targets along the axes."""

    def weights(self, penalty: Float64[Tensor, " episode"]) -> Float64[Tensor, "episode feature way"]:
        """The weights at one strength for each task."""
        return self.directions @ (self.loads / (self.values + penalty[:, None])[:, :, None])

    def left_out_errors(
        self,
        penalties: Float64[Tensor, "candidate episode"],
        targets: Float64[Tensor, "episode support way"],
        mean_part: Float64[Tensor, "episode support 1"],
    ) -> Float[Tensor, "candidate episode"]:
        """At each strength the sum of squared errors of support images, each predicted from the others."""
        wanted, loads = targets.float(), self.loads.float()
        shrunk = (self.values / (self.values + penalties[:, :, None])).float()
        left = (1 - self.axes.square() @ shrunk.permute(1, 2, 0) - mean_part.float()).clamp(min=SURE)
        errors = []
        for number, factors in enumerate(shrunk):
            missed = torch.baddbmm(wanted, self.axes, loads * factors[:, :, None], alpha=-1)
            lengths = torch.linalg.vector_norm(missed, dim=2)
            errors.append((lengths / left[:, :, number]).square().sum(1))
        return torch.stack(errors)


def _decompose(
    vectors: Float64[Tensor, "episode support feature"],
    targets: Float64[Tensor, "episode support way"],
    loads: Float64[Tensor, "episode feature way"],
) -> _Solution:
    """By the smaller of two eigenproblems: of the products of images, or of features."""
    dual = vectors.shape[1] <= vectors.shape[2]
    values, found = torch.linalg.eigh(own_products(vectors.mT if dual else vectors))
    largest = values.amax(1, keepdim=True).clamp(min=torch.finfo(torch.float64).tiny)
    found = found * (values > FLAT * largest)[:, None]
    values = values.clamp(min=0)
    if dual:
        return _Solution(values, found.float(), vectors.mT @ found, found.mT @ targets)
    length = values.where(values > FLAT * largest, 1).sqrt()[:, None]
    axes = vectors.float() @ (found / length).float()
    return _Solution(values, axes, found * length, (found / length).mT @ loads)
