"""Fine-tuning: a network that learned to tell all base classes apart, and for each task a new output layer.

The layer starts at zero and descends on the task's support, alone or with the whole network (`tune=all`), as in the Baseline
of Chen et al. (A Closer Look at Few-shot Classification, ICLR 2019) and Finetune of Meta-Dataset.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import linear

from fairshot.learners.adaptation import Adapted, Descent, copies, descend_layer, frozen, zero_layer
from fairshot.learners.learner import TaskBatch
from fairshot.learners.plan import Plan
from fairshot.learners.trainable import Head, Lesson, Loss, Model, Trainable, judged


@dataclass(frozen=True)
class Finetune(Trainable):
    """A linear layer, or with `tune=all` the whole network, that descends on the support.

    A network that is tuned uses the batch-norm statistics of each task's support.
    """

    reads: ClassVar = "both"
    presets: ClassVar = {
        # Batches and steps of Meta-Dataset's baselines; its rate was searched for, and is not among what is published.
        "paper": Plan(images=256, steps=75_000, epoch=500, rate=1e-3, val_episodes=600, val_way=5),
        "laptop": Plan(images=128, steps=2200, epoch=200, rate=2e-3, cosine=True, augment="drawing"),
    }

    tune: Literal["head", "all"] = "head"
    steps: int = 100
    rate: float = 0.1
    optimizer: Literal["sgd", "adam"] = "sgd"

    def __post_init__(self) -> None:
        _ = self._descent

    @property
    def _descent(self) -> Descent:
        return Descent(self.steps, self.rate, self.optimizer)

    def lesson(self, plan: Plan, step: int) -> Literal["episodes", "labels"]:
        """Labels of all base classes."""
        return "labels"

    def start(self, width: int, classes: int) -> Head:
        """A layer for the base classes, from zero as those of tasks."""
        return {"weight": torch.zeros(classes, width), "bias": torch.zeros(classes)}

    def logits(self, batch: TaskBatch, head: Head) -> Float[Tensor, "episode query way"]:
        """By a layer that descended on the support's vectors; the one for base classes has done its work."""
        return descend_layer(batch, zero_layer(batch, batch.vectors[0].shape[2]), self._descent)

    def embed_with(self, model: Model, images: Float[Tensor, "image ..."]) -> Float[Tensor, "image ..."]:
        """Nothing where every task tunes a network of its own."""
        return images if self.tune == "all" else super().embed_with(model, images)

    def answer(self, model: Model, batch: TaskBatch) -> Float[Tensor, "episode query way"]:
        """Tunes on each support, then answers."""
        if self.tune == "head":
            return super().answer(model, batch)
        network = model.network
        return Adapted(network).answer_all(
            batch,
            lambda part: {**frozen(copies(network, len(part.way))), **zero_layer(part, network.width)},
            self._descent,
        )

    def loss(self, model: Model, lesson: Lesson, plan: Plan) -> Loss:
        """Of telling all base classes apart."""
        assert lesson.images is not None
        assert lesson.labels is not None
        head = model.learned
        return judged(linear(model.network(lesson.images), head["weight"], head["bias"]), lesson.labels, plan)
