"""Tip-Adapter: a cache of labelled images beside zero-shot logits (Zhang et al., ECCV 2022, without training).

A query has for each class `scale` times its cosine with the class vector, plus `alpha` times the sum over the class's
support images of exp(-beta (1 - cosine)). Where no class vectors are given, the cache answers alone.
"""

from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import normalize

from fairshot.learners.learner import Classifier, TaskBatch
from fairshot.runtime.errors import FairshotError


@dataclass(frozen=True)
class TipAdapter(Classifier):
    """Zero-shot logits and a cache of the support."""

    alpha: float = 1.0
    """How much the cache counts."""
    beta: float = 5.5
    """How near a support image must be to count."""
    scale: float = 100.0
    """What cosines with class vectors are multiplied by, as in CLIP."""

    def __post_init__(self) -> None:
        if self.alpha <= 0 or self.beta <= 0:
            raise FairshotError(
                f"alpha and beta of tip_adapter are {self.alpha:g} and {self.beta:g}: give both above 0"
            )

    def classify(self, batch: TaskBatch) -> Float[Tensor, "episode query way"]:
        """Logits of both together."""
        support, query = batch.vectors
        support, query = normalize(support, dim=-1), normalize(query, dim=-1)
        near = (self.beta * (query @ support.mT - 1)).exp()
        return zero_shot(query, batch, self.scale) + self.alpha * (near @ batch.one_hot)


def zero_shot(directions: Float[Tensor, "*task feature"], batch: TaskBatch, scale: float) -> Tensor | float:
    """Cosines with the class vectors, scaled; nothing where there are none."""
    if batch.class_vectors is None:
        return 0.0
    return scale * directions @ normalize(batch.class_vectors, dim=-1).to(directions.dtype).mT
