"""Prototypes with a zero-shot prior: a class vector, such as the embedding of its name, counts as some of its images.

All vectors are brought to length 1; a prototype is the sum of the support vectors of a class and `weight` times its
class vector, and queries go to the prototype with the largest cosine. Where no class vectors are given, prototypes are
those of the images alone.
"""

from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import normalize

from fairshot.learners.learner import Classifier, TaskBatch
from fairshot.runtime.errors import FairshotError


@dataclass(frozen=True)
class PriorPrototypes(Classifier):
    """Nearest class direction, in which the class vector counts as `weight` images."""

    weight: float = 1.0
    scale: float = 100.0
    """What cosines are multiplied by, as in CLIP."""

    def __post_init__(self) -> None:
        if self.weight < 0:
            raise FairshotError(f"weight of prior_prototypes is {self.weight:g}: it must be 0 or more")

    def classify(self, batch: TaskBatch) -> Float[Tensor, "episode query way"]:
        """The cosine with each prototype, scaled."""
        support, query = batch.vectors
        sums = batch.one_hot.mT @ normalize(support, dim=-1)
        return self.scale * normalize(query, dim=-1) @ normalize(with_prior(sums, batch, self.weight), dim=-1).mT


def with_prior(sums: Float[Tensor, "*task feature"], batch: TaskBatch, weight: float) -> Float[Tensor, "*task feature"]:
    """Sums of the vectors of each class with its class vector added, where there is one."""
    if batch.class_vectors is None:
        return sums
    return sums + weight * normalize(batch.class_vectors, dim=-1).to(sums.dtype)
