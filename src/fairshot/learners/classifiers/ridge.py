"""Ridge regression onto one-hot targets of -1 and 1, in closed form for all tasks at once, with an intercept.

The penalty is `strength` times the mean squared deviation of the support from its mean, so that the scale of the
features does not matter: with n support vectors x of mean m it is strength / n * sum |x - m|^2. With `relative=False`
it is `strength` itself, as in scikit-learn, and the scale decides how much it penalises.
"""

from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor

from fairshot.learners.learner import Classifier, TaskBatch
from fairshot.learners.solvers.linear import class_sums, linear_logits
from fairshot.learners.solvers.ridge_regression import dual, ridge_weights
from fairshot.runtime.errors import FairshotError
from fairshot.tasks.episodes import PAD


@dataclass(frozen=True)
class Ridge(Classifier):
    """Linear regression with an L2 penalty of `strength`."""

    strength: float = 1.0
    relative: bool = True
    """Whether `strength` is in units of the support's mean squared deviation; otherwise it is the penalty itself."""

    def __post_init__(self) -> None:
        if self.strength <= 0:
            raise FairshotError(f"strength of ridge is {self.strength:g}: it must be above 0")

    @property
    def shift_invariant(self) -> bool:
        """By its intercept."""
        return True

    def classify(self, batch: TaskBatch) -> Float[Tensor, "episode query way"]:
        """The predicted targets."""
        support, query = batch.vectors
        support = support.double()
        real = (batch.support_labels != PAD)[:, :, None].double()
        count = real.sum(1, keepdim=True)
        centre, level = support.sum(1, keepdim=True) / count, 2 * batch.class_counts.double()[:, None] / count - 1
        support = (support - centre) * real
        if dual(support):
            targets, loads = (2 * batch.one_hot.double() - 1 - level) * real, None
        else:  # a table of all images by all classes would take most of the time, and only its products are needed
            targets, loads = None, 2 * class_sums(support, batch).mT
        squares = support.square().sum((1, 2), keepdim=True) / count
        unit = squares.where(squares > 0, 1) if self.relative else 1.0
        # The support is centred: what all targets have in common drops out of its products with them.
        weights = ridge_weights(support, targets, self.strength * unit, loads=loads)
        offset = (level - centre @ weights)[:, 0]
        return linear_logits(query, weights.mT.to(query.dtype), offset.to(query.dtype))
