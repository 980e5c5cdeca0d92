"""SimCLR: a network that learns without labels to know an image again in another view (Chen et al., ICML 2020).

As the critic of Boutin et al. 2022, who measure the diversity of drawings in its features. It answers episodes by the
nearest class mean of its vectors, so that it can be judged like any other learner.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import cross_entropy, normalize

from fairshot.learners.learner import TaskBatch
from fairshot.learners.solvers.similarity import class_means, similarity
from fairshot.learners.training.plan import Plan
from fairshot.learners.training.trainable import Head, Lesson, Loss, Model, Trainable
from fairshot.learners.training.views import Level, Variant, view


@dataclass(frozen=True)
class Simclr(Trainable):
    """Trained on drawings that are ink on paper; labels are not looked at."""

    reads: ClassVar = "both"
    presets: ClassVar = {
        # 100 epochs of the 29,460 drawings of omniglot/weak.
        "paper": Plan(
            network="critic",
            recipe="diversity",
            images=128,
            steps=23_000,
            epoch=230,
            optimizer="rmsprop",
            rate=1e-3,
        ),
        "laptop": Plan(
            network="critic",
            recipe="diversity",
            images=128,
            steps=2000,
            epoch=100,
            optimizer="rmsprop",
            rate=1e-3,
            cosine=True,
        ),
    }

    views: Level = "normal"
    """How far two views of an image may differ."""
    variant: Variant = "released"
    """Whether that is as in the published code, or as the paper prints it (`text`)."""
    temperature: float = 0.5
    metric: Literal["l2", "cosine"] = "cosine"
    """How an episode is answered."""

    @property
    def shift_invariant(self) -> bool:
        """Distances are, directions are not."""
        return self.metric == "l2"

    def lesson(self, plan: Plan, step: int) -> Literal["episodes", "labels"]:
        """Images; their labels are passed over."""
        return "labels"

    def logits(self, batch: TaskBatch, head: Head) -> Float[Tensor, "episode query way"]:
        """Similarity to each class mean."""
        support, query = batch.vectors
        return similarity(query, class_means(support, batch), self.metric)

    def loss(self, model: Model, lesson: Lesson, plan: Plan) -> Loss:
        """Of knowing each image again; views draw from the global generator, which a training seeds for each step.

        Batch norm sees both views together, where the published code shows it one after the other.
        """
        assert lesson.images is not None
        shown = torch.cat([view(lesson.images, self.views, torch.default_generator, self.variant) for _ in range(2)])
        return contrast(model.network(shown), self.temperature)


def contrast(vectors: Float[Tensor, "view feature"], temperature: float) -> Loss:
    """NT-Xent: each view has to find the other one of its image among all others; the second half are the others."""
    units = normalize(vectors, dim=1)
    alike = (units @ units.T / temperature).fill_diagonal_(-torch.inf)
    partner = torch.arange(len(units)).roll(len(units) // 2)
    return Loss(cross_entropy(alike, partner), float((alike.detach().argmax(1) == partner).float().mean()))
