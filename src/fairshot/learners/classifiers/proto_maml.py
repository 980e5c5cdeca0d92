"""Proto-MAML: MAML whose output layer begins as a nearest-prototype classifier (Triantafillou et al., ICLR 2020).

Squared distance to a class mean c is linear in a vector x but for a term that all classes share: its layer is W = 2 c,
b = -|c|^2. Network and layer then descend on the support, and training derives through how the layer began.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

from torch import Tensor

from fairshot.learners.learner import TaskBatch
from fairshot.learners.solvers.descent import BIAS, WEIGHT, Parameters, copies, real_support
from fairshot.learners.solvers.similarity import class_means
from fairshot.learners.training.inner_loop import InnerLoop
from fairshot.learners.training.plan import INNER_LAPTOP, RELEASED
from fairshot.learners.training.trainable import Head, Model
from fairshot.tasks.episodes import PAD


@dataclass(frozen=True)
class ProtoMaml(InnerLoop):
    """Descent on the support from learned weights and the class means."""

    presets: ClassVar = {"released": RELEASED, "released-laptop": INNER_LAPTOP, "laptop": INNER_LAPTOP}

    order: Literal["second", "first"] = "first"
    inner_rate: float = 0.01
    test_steps: int = 5

    def begin(self, model: Model, batch: TaskBatch) -> Parameters:
        """The learned weights, and the class means of the vectors that they give."""
        parameters = copies(model.network, len(batch.way))
        vectors = model.network.forward_each(parameters, real_support(batch), batch.support_labels != PAD)
        return {**parameters, **_nearest_means(vectors, batch)}

    def begin_layer(self, batch: TaskBatch, head: Head) -> Parameters:
        """The class means of the support."""
        return _nearest_means(batch.vectors[0], batch)


def _nearest_means(vectors: Tensor, batch: TaskBatch) -> Parameters:
    """The layer whose answers are those of the nearest class mean."""
    means = class_means(vectors, batch)
    return {WEIGHT: 2 * means, BIAS: -means.square().sum(2)}
