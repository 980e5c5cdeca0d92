"""A learner whose network and output layer descend on each task's support, in training as in testing."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Literal

import torch
from jaxtyping import Float
from torch import Tensor

from fairshot.learners.learner import TaskBatch
from fairshot.learners.solvers.descent import Adapted, Descent, Parameters, descend_layer, frozen
from fairshot.learners.training.plan import Plan
from fairshot.learners.training.trainable import Head, Lesson, Loss, Model, Trainable, judged
from fairshot.runtime.errors import FairshotError
from fairshot.tasks.episodes import PAD


@dataclass(frozen=True)
class InnerLoop(Trainable):
    """Descent on the support from learned weights; the kinds of it say where the output layer begins."""

    reads: ClassVar = "both"

    order: Literal["second", "first"] = "second"
    inner_rate: float = 0.1
    """Of the descent; as Finn et al. have it for 20-way Omniglot."""
    inner_steps: int = 5
    """Steps on the support in training."""
    test_steps: int = 10
    """Steps on the support when it answers."""

    def __post_init__(self) -> None:
        name = type(self).__name__.lower()
        for field in ("inner_steps", "test_steps", "way"):
            if getattr(self, field, 1) < 1:
                raise FairshotError(f"{field} of {name} is {getattr(self, field)}: it must be at least 1")
        if not 0 < self.inner_rate < float("inf"):
            raise FairshotError(f"inner_rate of {name} is {self.inner_rate:g}: it must be above 0")

    @abstractmethod
    def begin(self, model: Model, batch: TaskBatch) -> Parameters:
        """Network and output layer of every task before adaptation."""

    @abstractmethod
    def begin_layer(self, batch: TaskBatch, head: Head) -> Parameters:
        """The output layer of every task of vectors before adaptation."""

    def refuse_width(self, model: Model, batch: TaskBatch) -> None:
        """Raises for episodes that cannot be served."""

    def classify(self, batch: TaskBatch) -> Float[Tensor, "episode query way"]:
        """Without a network, the output layer alone."""
        return self.logits(batch, {})

    def logits(self, batch: TaskBatch, head: Head) -> Float[Tensor, "episode query way"]:
        """On vectors, the output layer alone is adapted."""
        return descend_layer(batch, self.begin_layer(batch, head), self._descent("test"))

    def embed_with(self, model: Model, images: Float[Tensor, "image ..."]) -> Float[Tensor, "image ..."]:
        """Nothing: every task has a network of its own."""
        return images

    def answer(self, model: Model, batch: TaskBatch) -> Float[Tensor, "episode query way"]:
        """Adapts to each support, then answers."""
        self.refuse_width(model, batch)
        adapted = Adapted(model.network)
        return adapted.answer_all(batch, lambda part: frozen(self.begin(model, part)), self._descent("test"))

    def loss(self, model: Model, lesson: Lesson, plan: Plan) -> Loss:
        """Of answers after adaptation, which can be derived by the weights before it."""
        assert lesson.tasks is not None
        assert lesson.query_labels is not None
        batch = lesson.tasks
        self.refuse_width(model, batch)
        _keep_averages(model, batch)
        adapted, start = Adapted(model.network, self.order), self.begin(model, batch)
        ended = adapted.adapt(batch, start, self._descent("training"))
        logits = adapted.answer(batch, ended)
        return judged(logits.flatten(0, 1), lesson.query_labels.flatten(), plan)

    def _descent(self, when: Literal["training", "test"]) -> Descent:
        return Descent(self.inner_steps if when == "training" else self.test_steps, self.inner_rate)


@torch.no_grad()
def _keep_averages(model: Model, batch: TaskBatch) -> None:
    """Lets batch norm keep its averages; adaptation has no use for them, but other heads on the network have."""
    model.network(batch.support[batch.support_labels != PAD])
