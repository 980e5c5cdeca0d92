"""MAML: weights from which a few steps of descent on a task's support go far (Finn et al., ICML 2017).

Training derives the loss on queries through these steps (`order=second`), or takes the gradient at their end for that
at their beginning (`first`, FOMAML). All parameters are adapted, for all tasks of a batch at once, and batch norm uses
the statistics of each task's support throughout. The output layer is adapted from zero (`head=zero`, the fo-MAML of
Meta-Dataset, for any way), or it is learned with the network for one way (`learned`, as published).
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

from torch import nn

from fairshot.learners.learner import TaskBatch
from fairshot.learners.solvers.descent import BIAS, WEIGHT, Parameters, copies, zero_layer
from fairshot.learners.training.inner_loop import InnerLoop
from fairshot.learners.training.plan import INNER_LAPTOP, RELEASED, Plan
from fairshot.learners.training.trainable import Head, Model
from fairshot.runtime.errors import FairshotError


@dataclass(frozen=True)
class Maml(InnerLoop):
    """Descent on the support from learned weights; untrained, a linear layer that descends from zero."""

    presets: ClassVar = {
        # Meta-Dataset's fo-MAML is `maml:order=first,inner_rate=0.01,test_steps=5`.
        "released": RELEASED,
        "released-laptop": INNER_LAPTOP,
        "paper": Plan(way=20, shot=1, query=1, tasks=16, steps=60_000, epoch=1000, rate=1e-3),
        "laptop": Plan(
            way=20,
            shot=1,
            query=3,
            tasks=2,
            steps=700,
            epoch=50,
            rate=2e-3,
            cosine=True,
            augment="drawing",
            val_episodes=60,
            val_way=5,
        ),
        # The control of Boutin et al. 2022: `maml:head=learned,way=20,inner_rate=0.01` with this plan. How long it was
        # trained is not published; the released class has no layer of 256 numbers, which is network=conv4.
        "critic": Plan(
            network="critic_trunk",
            recipe="diversity",
            way=20,
            shot=1,
            query=1,
            tasks=4,
            steps=60_000,
            epoch=1000,
        ),
        "critic-laptop": Plan(
            network="critic_trunk",
            recipe="diversity",
            way=20,
            shot=1,
            query=2,
            tasks=2,
            steps=800,
            epoch=50,
            cosine=True,
            clip=2.0,
            val_episodes=50,
        ),
    }

    head: Literal["learned", "zero"] = "zero"
    way: int = 5
    """For how many classes an output layer is learned."""

    def start(self, width: int, classes: int) -> Head:
        """The output layer, where it is learned."""
        if self.head == "zero":
            return {}
        layer = nn.Linear(width, self.way)
        return {"weight": layer.weight.detach(), "bias": layer.bias.detach()}

    def begin(self, model: Model, batch: TaskBatch) -> Parameters:
        """The learned weights, and the output layer."""
        network = model.network
        return {**copies(network, len(batch.way)), **_layer(batch, model.learned, network.width)}

    def begin_layer(self, batch: TaskBatch, head: Head) -> Parameters:
        """As learned, or zero."""
        return _layer(batch, head, batch.vectors[0].shape[2])

    def refuse_way(self, model: Model, way: int) -> str | None:
        """A learned output layer serves one way only."""
        learned = len(model.learned["bias"]) if "bias" in model.learned else way
        return None if learned == way else f"its output layer was learned for {learned}-way episodes"

    def refuse_width(self, model: Model, batch: TaskBatch) -> None:
        """Raises for another way than the output layer's."""
        reason = self.refuse_way(model, batch.width)
        if reason:
            raise FairshotError(
                f"maml cannot serve {batch.width}-way episodes, {reason}: train with way={batch.width} or head=zero"
            )


def _layer(batch: TaskBatch, head: Head, width: int) -> Parameters:
    """The output layer of every task before adaptation."""
    if not head:
        return zero_layer(batch, width)
    tasks = len(batch.way)
    return {
        WEIGHT: head["weight"].expand(tasks, *head["weight"].shape),
        BIAS: head["bias"].expand(tasks, *head["bias"].shape),
    }
