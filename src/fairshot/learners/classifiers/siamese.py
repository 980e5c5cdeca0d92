"""A siamese network: a query is of the class of the support image that it is most alike (Koch et al. 2015).

Trained as omniglot-eval does: an affine function of the similarity is learned, and a class scores as its most alike
image. The alternatives of that code are settings: other similarities, class means, kernel ridge regression, pairs.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from fairshot.learners.learner import TaskBatch
from fairshot.learners.training.plan import Plan
from fairshot.learners.training.trainable import Head, Lesson, Loss, Model, Trainable
from fairshot.runtime.errors import FairshotError
from fairshot.tasks.episodes import PAD

SOFT = 1e-3  # added to the product of two lengths, as published
Pairs = Float[Tensor, "episode query other"]


@dataclass(frozen=True)
class Siamese(Trainable):
    """The most alike support image."""

    reads: ClassVar = "both"
    presets: ClassVar = {
        "paper": Plan(
            network="omniglot_eval",
            way=5,
            shot=1,
            query=1,
            tasks=16,
            shared=True,
            steps=10_000,
            epoch=500,
            optimizer="sgd",
            rate=1e-2,
            factors=((0.5, 0.1), (0.75, 0.01), (0.875, 0.001)),
        ),
        "laptop": Plan(
            way=20,
            shot=1,
            query=5,
            tasks=2,
            steps=830,
            optimizer="sgd",
            rate=0.1,
            cosine=True,
            augment="drawing",
        ),
    }

    similarity: Literal["cosine", "dot", "l2", "squared_l2", "l1", "weighted_l1"] = "cosine"
    head: Literal["nearest", "mean", "ridge"] = "nearest"
    trained_on: Literal["episodes", "pairs"] = "episodes"
    strength: float = 0.01
    """Of kernel ridge regression."""

    @property
    def shift_invariant(self) -> bool:
        """Distances are."""
        return self.similarity in ("l2", "squared_l2", "l1", "weighted_l1") and self.head == "nearest"

    def start(self, width: int, classes: int) -> Head:
        """Scale and bias of the similarity, and the weight of each feature where they differ."""
        head = {"scale": torch.tensor(1.0), "bias": torch.tensor(0.0)}
        return head | ({"weights": torch.ones(width)} if self.similarity == "weighted_l1" else {})

    def logits(self, batch: TaskBatch, head: Head) -> Float[Tensor, "episode query way"]:
        """An affine function of each class's score."""
        if self.similarity == "weighted_l1" and "weights" not in head:
            raise FairshotError("siamese:similarity=weighted_l1 needs weights that were learned: train it so")
        scores = {"nearest": self._nearest, "mean": self._mean, "ridge": self._ridge}[self.head](batch, head)
        return head["scale"] * scores + head["bias"]

    def loss(self, model: Model, lesson: Lesson, plan: Plan) -> Loss:
        """Of the answers, or of telling equal pairs from different ones."""
        if self.trained_on == "episodes":
            return super().loss(model, lesson, plan)
        assert lesson.tasks is not None
        assert lesson.query_labels is not None
        batch, head = model.embed_tasks(lesson.tasks), model.learned
        same = (torch.arange(batch.query.shape[1]) % 2 == 0).expand_as(lesson.query_labels)  # queries come shuffled
        wanted = torch.where(same, lesson.query_labels, (lesson.query_labels + 1) % batch.width)
        partner = (batch.support_labels[:, None, :] == wanted[:, :, None]).int().argmax(2)
        alike = self._alike(batch.query, batch.support, head).gather(2, partner[:, :, None])[:, :, 0]
        answers = head["scale"] * alike + head["bias"]
        value = binary_cross_entropy_with_logits(answers, same.to(answers.dtype))
        return Loss(value, float(((answers > 0) == same).float().mean()))

    def _alike(self, queries: Tensor, others: Tensor, head: Head) -> Pairs:
        match self.similarity:
            case "cosine":
                lengths = queries.norm(dim=-1, keepdim=True) * others.norm(dim=-1)[:, None, :]
                return queries @ others.mT / (lengths + SOFT)
            case "dot":
                return queries @ others.mT
            case "l2":
                return -torch.cdist(queries, others)
            case "squared_l2":
                return -torch.cdist(queries, others).square()
            case "l1":
                return -torch.cdist(queries, others, p=1.0)
            case _:  # weights of either sign as the difference of two distances
                up, down = head["weights"].clamp(min=0), (-head["weights"]).clamp(min=0)
                return torch.cdist(queries * down, others * down, p=1.0) - torch.cdist(queries * up, others * up, p=1.0)

    def _nearest(self, batch: TaskBatch, head: Head) -> Float[Tensor, "episode query way"]:
        support, query = batch.vectors
        alike = self._alike(query, support, head)
        lowest = torch.finfo(alike.dtype).min
        alike = alike.masked_fill((batch.support_labels == PAD)[:, None, :], lowest)
        labels = batch.support_labels.clamp(min=0)[:, None, :].expand_as(alike)
        empty = torch.full((*alike.shape[:2], batch.width), lowest, dtype=alike.dtype)
        return empty.scatter_reduce(2, labels, alike, "amax")

    def _mean(self, batch: TaskBatch, head: Head) -> Float[Tensor, "episode query way"]:
        support, query = batch.vectors
        members = batch.one_hot
        return self._alike(query, members.mT @ support / members.sum(1).clamp(min=1)[:, :, None], head)

    def _ridge(self, batch: TaskBatch, head: Head) -> Float[Tensor, "episode query way"]:
        support, query = batch.vectors
        real = (batch.support_labels != PAD).to(support.dtype)
        gram = self._alike(support, support, head) * real[:, :, None] * real[:, None, :]
        gram = gram + self.strength * torch.eye(support.shape[1])
        return (self._alike(query, support, head) * real[:, None, :]) @ torch.linalg.solve(gram, batch.one_hot)
