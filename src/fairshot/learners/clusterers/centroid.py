"""Centroid Networks: a network whose vectors Sinkhorn K-means clusters as labels would (Huang et al. 2019).

Trained on episodes with labels: queries against the class means of the support, by softmax or by Sinkhorn conditionals,
and a center loss that pulls the support towards its class means. Answered without labels.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

import torch
from jaxtyping import Float
from torch import Tensor

from fairshot.learners.learner import TaskBatch
from fairshot.learners.solvers.centroids import Table, squared_distances
from fairshot.learners.solvers.similarity import class_means
from fairshot.learners.solvers.sinkhorn_kmeans import SinkhornKmeans
from fairshot.learners.solvers.transport import Effort, transport
from fairshot.learners.training.plan import RELEASED, RELEASED_LAPTOP, Plan
from fairshot.learners.training.trainable import Head, Lesson, Loss, Model, embedded, judged
from fairshot.learners.training.trainable_clusterer import TrainableClusterer

OMNIGLOT = Plan(way=20, shot=5, query=5, steps=100_000, epoch=1000, rate=1e-3, halve_every=2000, val_shot=5)


@dataclass(frozen=True)
class Centroid(SinkhornKmeans, TrainableClusterer):
    """Balanced clusters of learned vectors."""

    reads: ClassVar = "both"
    presets: ClassVar = {
        "released": RELEASED,
        "released-laptop": RELEASED_LAPTOP,
        "paper": OMNIGLOT,
        "laptop": Plan(
            way=20,
            shot=5,
            query=5,
            in_turn=True,
            steps=2400,
            rate=2e-3,
            cosine=True,
            augment="drawing",
            val_shot=5,
        ),
        "reference": Plan(
            begin="prototypes@omniglot-vinyals",
            way=60,
            shot=3,
            query=3,
            in_turn=True,
            steps=2000,
            epoch=500,
            rate=1e-3,
            cosine=True,
            augment="drawing",
            parts="base+val",
        ),
    }

    predict: Literal["nearest", "sinkhorn"] = "sinkhorn"
    conditional: Literal["sinkhorn", "softmax"] = "sinkhorn"
    """How queries are shared out among class means in training."""
    temperature: float = 1.0
    center: float = 1.0
    """Weight of the center loss: the mean squared distance, by point and feature, from the class mean."""

    def logits(self, batch: TaskBatch, head: Head) -> Float[Tensor, "episode query way"]:
        """The conditional of each query, with the class means of the support as centroids."""
        support, query = batch.vectors
        return self._conditional(batch, query, class_means(support, batch))

    def _conditional(self, batch: TaskBatch, query: Tensor, means: Table) -> Float[Tensor, "episode query way"]:
        near = -squared_distances(query, means)
        if self.conditional == "softmax":
            return near / self.temperature
        asked = batch.query_mask.to(query.dtype)
        present = (torch.arange(batch.width) < batch.way[:, None]).to(query.dtype)
        shares, weights = (table / table.sum(1, keepdim=True) for table in (asked, present))
        return transport(near / self.gamma, shares, weights, Effort(self.predict_iterations)).conditional

    def loss(self, model: Model, lesson: Lesson, plan: Plan) -> Loss:
        """Of the conditionals, and the center loss."""
        batch, labels = embedded(model, lesson, plan)
        loss = judged(self.logits(batch, model.learned).flatten(0, 1), labels.flatten(), plan)
        if not self.center:
            return loss
        support, members = batch.vectors[0], batch.one_hot
        away = (support - members @ class_means(support, batch)) * members.sum(2, keepdim=True)
        return Loss(loss.value + self.center * away.square().sum() / (members.sum() * support.shape[2]), loss.accuracy)
