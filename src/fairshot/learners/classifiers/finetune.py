"""Fine-tuning: a network that learned to tell all base classes apart, and for each task a new output layer.

The layer starts at zero and descends on the task's support, alone or with the whole network (`tune=all`), as in the
Baseline of Chen et al. (A Closer Look at Few-shot Classification, ICLR 2019) and in Meta-Dataset's Finetune.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

from jaxtyping import Float
from torch import Tensor

from fairshot.learners.learner import TaskBatch
from fairshot.learners.solvers.descent import Adapted, Descent, copies, descend_layer, frozen, zero_layer
from fairshot.learners.training.label_loss import Supervised
from fairshot.learners.training.plan import LABELS_LAPTOP, RELEASED_LABELS, Plan
from fairshot.learners.training.trainable import Head, Model


@dataclass(frozen=True)
class Finetune(Supervised):
    """A linear layer, or with `tune=all` the whole network, that descends on the support.

    A network that is tuned uses the batch-norm statistics of each task's support.
    """

    reads: ClassVar = "both"
    presets: ClassVar = {
        "released": RELEASED_LABELS,
        "released-laptop": LABELS_LAPTOP,
        # Batches and steps of the baselines in Meta-Dataset; their rates were searched for and are not published.
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
