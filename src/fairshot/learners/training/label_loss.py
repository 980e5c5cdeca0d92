"""Learning the labels of all base classes by a linear layer behind the network, which is thrown away afterwards."""

from typing import Literal

from jaxtyping import Float
from torch import Tensor, nn
from torch.nn.functional import linear

from fairshot.learners.learner import TaskBatch
from fairshot.learners.training.plan import Plan
from fairshot.learners.training.trainable import Head, Lesson, Loss, Model, Trainable, judged


class Supervised(Trainable):
    """A classifier whose network learns to name the base classes; how it answers an episode is its own affair."""

    def lesson(self, plan: Plan, step: int) -> Literal["episodes", "labels"]:
        """Labels, from the first step to the last."""
        return "labels"

    def start(self, width: int, classes: int) -> Head:
        """The linear layer, as torch makes it, from the global generator."""
        layer = nn.Linear(width, classes)
        return {"weight": layer.weight.detach(), "bias": layer.bias.detach()}

    def classify(self, batch: TaskBatch) -> Float[Tensor, "episode query way"]:
        """The answers before anything was learned: without the linear layer, which would be random."""
        return self.logits(batch, {})

    def loss(self, model: Model, lesson: Lesson, plan: Plan) -> Loss:
        """Of the labels where the lesson is about labels, otherwise of answers to episodes."""
        if lesson.images is None:
            return super().loss(model, lesson, plan)
        assert lesson.labels is not None
        head = model.learned
        return judged(linear(model.network(lesson.images), head["weight"], head["bias"]), lesson.labels, plan)
