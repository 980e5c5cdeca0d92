"""Ridge regression onto one-hot labels as the last layer of a network that is trained through it.

After Lee et al., MetaOptNet, CVPR 2019: a closed form per episode, so that the network learns vectors on which a ridge
regression of few images answers well. No intercept; the scale of the answers is learned beside the network.
"""

from dataclasses import dataclass
from typing import ClassVar

import torch
from jaxtyping import Float
from torch import Tensor

from fairshot.learners.learner import TaskBatch
from fairshot.learners.solvers.ridge_regression import ridge_weights
from fairshot.learners.training.plan import METAOPTNET, RELEASED, RELEASED_LAPTOP, Plan
from fairshot.learners.training.trainable import Head, Trainable
from fairshot.runtime.errors import FairshotError


@dataclass(frozen=True)
class MetaRidge(Trainable):
    """Ridge regression with an L2 penalty of `strength`."""

    reads: ClassVar = "both"
    presets: ClassVar = {
        "released": RELEASED,
        "released-laptop": RELEASED_LAPTOP,
        "paper": Plan(
            network="resnet12",
            way=5,
            shot=15,
            query=6,
            tasks=8,
            steps=60_000,
            epoch=1000,
            optimizer="sgd",
            rate=0.1,
            nesterov=True,
            weight_decay=5e-4,
            factors=METAOPTNET,
            smoothing=0.1,  # of ridge regression alone, and published for mini- and tiered-ImageNet; 0 on CIFAR-FS
            augment="photo",
            val_way=5,
            val_shot=5,
        ),
        "laptop": Plan(
            way=20, shot=2, query=5, tasks=1, steps=1430, epoch=110, rate=2e-3, cosine=True, augment="drawing"
        ),
    }

    strength: float = 50.0
    scale: float = 1.0
    """What the regression's values are multiplied by, or begin with where it is learned."""
    learn_scale: bool = True

    def __post_init__(self) -> None:
        if self.strength <= 0:
            raise FairshotError(f"strength of meta_ridge is {self.strength:g}: it must be above 0")

    def start(self, width: int, classes: int) -> Head:
        """The scale, where it is learned."""
        return {"scale": torch.tensor(float(self.scale))} if self.learn_scale else {}

    def logits(self, batch: TaskBatch, head: Head) -> Float[Tensor, "episode query way"]:
        """Predicted labels; solved with all digits, because vectors far from zero leave few of them."""
        support, query = batch.vectors
        # Twice the usual solution, as published: there the linear term of the objective has no half.
        weights = 2 * ridge_weights(support.double(), batch.one_hot.double(), self.strength)
        return head.get("scale", self.scale) * (query.double() @ weights).to(query.dtype)
