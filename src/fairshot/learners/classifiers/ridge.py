"""Ridge regression onto one-hot targets of -1 and 1, in closed form for all tasks at once, with an intercept.

The penalty is `strength` times the mean squared deviation of the support from its mean, so that the scale of the
features does not matter: with n support vectors x of mean m it is strength / n * sum |x - m|^2. With `relative=False`
it is `strength` itself, as in scikit-learn, and the scale decides how much it penalises.
"""

from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor

from fairshot.learners.learner import Classifier, TaskBatch
from fairshot.learners.solvers.centred_support import CentredSupport
from fairshot.learners.solvers.linear import linear_logits
from fairshot.learners.solvers.ridge_regression import ridge_weights, weights_of_loads
from fairshot.runtime.errors import FairshotError


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
        centred = CentredSupport.of(support, batch)
        penalty = self.strength * centred.unit if self.relative else self.strength
        if support.shape[1] <= support.shape[2]:
            weights = ridge_weights(centred.vectors, centred.targets(batch), penalty)
        else:
            weights = weights_of_loads(centred.vectors, centred.loads, penalty)
        return linear_logits(query, weights.mT.to(query.dtype), centred.offset(weights).to(query.dtype))
