"""First the names of the base classes, then episodes: cosines to class means (Chen et al., Meta-Baseline, ICCV 2021).

The first `supervised` steps of a plan learn labels, the others episodes, with a temperature that is learned.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

import torch
from jaxtyping import Float
from torch import Tensor

from fairshot.learners.learner import TaskBatch
from fairshot.learners.solvers.similarity import class_means, similarity
from fairshot.learners.training.label_loss import Supervised
from fairshot.learners.training.plan import Plan
from fairshot.learners.training.trainable import Head


@dataclass(frozen=True)
class MetaBaseline(Supervised):
    """Cosines to class means."""

    reads: ClassVar = "both"
    presets: ClassVar = {
        # 100 epochs of labels as the supervised baseline, then 20 epochs of 200 steps at a hundredth of the rate.
        "paper": Plan(
            network="resnet12",
            images=128,
            supervised=30_000,
            way=5,
            shot=5,
            query=15,
            tasks=4,
            steps=34_000,
            epoch=300,
            optimizer="sgd",
            rate=0.1,
            nesterov=True,
            weight_decay=5e-4,
            augment="photo",
            factors=((27 / 34, 0.1), (30 / 34, 0.01)),
            val_way=5,
            val_shot=5,
        ),
        "laptop": Plan(
            images=128,
            supervised=1000,
            way=30,
            shot=1,
            query=5,
            steps=1400,
            epoch=100,
            rate=2e-3,
            cosine=True,
            augment="drawing",
        ),
    }

    scale: float = 10.0
    """The temperature that cosines are multiplied by; learning begins with it."""

    def lesson(self, plan: Plan, step: int) -> Literal["episodes", "labels"]:
        """Labels first."""
        return "labels" if step < plan.supervised else "episodes"

    def start(self, width: int, classes: int) -> Head:
        """The linear layer and the temperature."""
        return {**super().start(width, classes), "scale": torch.tensor(float(self.scale))}

    def logits(self, batch: TaskBatch, head: Head) -> Float[Tensor, "episode query way"]:
        """Cosine to each class mean."""
        support, query = batch.vectors
        return head.get("scale", self.scale) * similarity(query, class_means(support, batch), "cosine")
