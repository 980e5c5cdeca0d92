"""A support vector machine as the last layer of a network that is trained through it.

After Lee et al., MetaOptNet, CVPR 2019: the multi-class machine of Crammer and Singer on the vectors of an episode, and
the derivative of its solution. The published scale is 7 on mini-ImageNet and 5 on CIFAR-FS, or is learned from 1.
"""

from dataclasses import dataclass
from typing import ClassVar

import torch
from jaxtyping import Float
from torch import Tensor

from fairshot.learners.learner import TaskBatch
from fairshot.learners.solvers.crammer_singer import solve_dual
from fairshot.learners.training.plan import METAOPTNET, RELEASED, RELEASED_LAPTOP, Plan
from fairshot.learners.training.trainable import Head, Trainable
from fairshot.runtime.errors import FairshotError


@dataclass(frozen=True)
class MetaSvm(Trainable):
    """The Crammer-Singer machine with slack that costs `c`."""

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
            augment="photo",
            val_way=5,
            val_shot=5,
        ),
        "laptop": Plan(
            way=20, shot=2, query=5, tasks=1, steps=1430, epoch=110, rate=2e-3, cosine=True, augment="drawing"
        ),
    }

    c: float = 0.1
    scale: float = 7.0
    """What the machine's values are multiplied by, or begin with where it is learned."""
    learn_scale: bool = False

    def __post_init__(self) -> None:
        if self.c <= 0:
            raise FairshotError(f"c of meta_svm is {self.c:g}: it must be above 0")

    def start(self, width: int, classes: int) -> Head:
        """The scale, where it is learned."""
        return {"scale": torch.tensor(float(self.scale))} if self.learn_scale else {}

    def logits(self, batch: TaskBatch, head: Head) -> Float[Tensor, "episode query way"]:
        """The machine's values; solved with all digits, because vectors far from zero leave few of them."""
        support, query = batch.vectors
        wide = support.double()
        dual = solve_dual(wide @ wide.mT, batch.one_hot.double(), bound=self.c)
        return head.get("scale", self.scale) * (query.double() @ (wide.mT @ dual)).to(query.dtype)
