"""MAML: weights from which a few steps of descent on a task's support go far (Finn et al., ICML 2017).

Training derives the loss on queries through these steps (`order=second`), or takes the gradient at their end for that
at their beginning (`first`, FOMAML). All parameters are adapted, for all tasks of a batch at once, and batch norm uses
the statistics of each task's support throughout. The output layer is adapted from zero (`head=zero`, the fo-MAML of
Meta-Dataset, for any way), or it is learned with the network for one way (`learned`, as published).
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

import torch
from jaxtyping import Float
from torch import Tensor, nn

from fairshot.learners.learner import TaskBatch
from fairshot.learners.solvers.descent import (
    BIAS,
    WEIGHT,
    Adapted,
    Descent,
    Parameters,
    copies,
    descend_layer,
    frozen,
    zero_layer,
)
from fairshot.learners.training.plan import Plan
from fairshot.learners.training.trainable import Head, Lesson, Loss, Model, Trainable, judged
from fairshot.runtime.errors import FairshotError


@dataclass(frozen=True)
class Maml(Trainable):
    """Descent on the support from learned weights; untrained, a linear layer that descends from zero."""

    reads: ClassVar = "both"
    presets: ClassVar = {
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

    order: Literal["second", "first"] = "second"
    inner_rate: float = 0.1
    """Of the descent; as Finn et al. have it for 20-way Omniglot."""
    inner_steps: int = 5
    """Steps on the support in training."""
    test_steps: int = 10
    """Steps on the support when it answers."""
    head: Literal["learned", "zero"] = "zero"
    way: int = 5
    """For how many classes an output layer is learned."""

    def __post_init__(self) -> None:
        for name in ("inner_steps", "test_steps", "way"):
            if getattr(self, name) < 1:
                raise FairshotError(f"{name} of maml is {getattr(self, name)}: it must be at least 1")
        if not 0 < self.inner_rate < float("inf"):
            raise FairshotError(f"inner_rate of maml is {self.inner_rate:g}: it must be above 0")

    def start(self, width: int, classes: int) -> Head:
        """The output layer, where it is learned."""
        if self.head == "zero":
            return {}
        layer = nn.Linear(width, self.way)
        return {"weight": layer.weight.detach(), "bias": layer.bias.detach()}

    def classify(self, batch: TaskBatch) -> Float[Tensor, "episode query way"]:
        """Without a network, a linear layer from zero."""
        return self.logits(batch, {})

    def logits(self, batch: TaskBatch, head: Head) -> Float[Tensor, "episode query way"]:
        """On vectors, the output layer alone is adapted."""
        return descend_layer(batch, _layer(batch, head, batch.vectors[0].shape[2]), self._descent("test"))

    def embed_with(self, model: Model, images: Float[Tensor, "image ..."]) -> Float[Tensor, "image ..."]:
        """Nothing: every task has a network of its own."""
        return images

    def answer(self, model: Model, batch: TaskBatch) -> Float[Tensor, "episode query way"]:
        """Adapts to each support, then answers."""
        self._refuse_width(model, batch)
        adapted = Adapted(model.network)
        return adapted.answer_all(batch, lambda part: frozen(_start(model, part)), self._descent("test"))

    def loss(self, model: Model, lesson: Lesson, plan: Plan) -> Loss:
        """Of answers after adaptation, which can be derived by the weights before it."""
        assert lesson.tasks is not None
        assert lesson.query_labels is not None
        batch = lesson.tasks
        self._refuse_width(model, batch)
        _keep_averages(model, batch)
        adapted, start = Adapted(model.network, self.order), _start(model, batch)
        ended = adapted.adapt(batch, start, self._descent("training"))
        logits = adapted.answer(batch, ended)
        return judged(logits.flatten(0, 1), lesson.query_labels.flatten(), plan)

    def refuse_way(self, model: Model, way: int) -> str | None:
        """A learned output layer serves one way only."""
        learned = len(model.learned["bias"]) if "bias" in model.learned else way
        return None if learned == way else f"its output layer was learned for {learned}-way episodes"

    def _refuse_width(self, model: Model, batch: TaskBatch) -> None:
        reason = self.refuse_way(model, batch.width)
        if reason:
            raise FairshotError(
                f"maml cannot serve {batch.width}-way episodes, {reason}: train with way={batch.width} or head=zero"
            )

    def _descent(self, when: Literal["training", "test"]) -> Descent:
        return Descent(self.inner_steps if when == "training" else self.test_steps, self.inner_rate)


def _layer(batch: TaskBatch, head: Head, width: int) -> Parameters:
    """The output layer of every task before adaptation."""
    if not head:
        return zero_layer(batch, width)
    tasks = len(batch.way)
    return {
        WEIGHT: head["weight"].expand(tasks, *head["weight"].shape),
        BIAS: head["bias"].expand(tasks, *head["bias"].shape),
    }


def _start(model: Model, batch: TaskBatch) -> Parameters:
    """Network and output layer of every task before adaptation."""
    network = model.network
    return {**copies(network, len(batch.way)), **_layer(batch, model.learned, network.width)}


@torch.no_grad()
def _keep_averages(model: Model, batch: TaskBatch) -> None:
    """Lets batch norm keep its averages; adaptation has no use for them, but other heads on the network have."""
    model.network(batch.support.flatten(0, 1))
