"""Nearest prototype: a class is the mean of its support features (Snell et al., NeurIPS 2017).

`cosine` compares directions; `centred` subtracts the mean of the episode's support first, then compares directions
(after Wang et al., SimpleShot, 2019, who centre on base classes).
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

import torch
from jaxtyping import Float
from torch import Tensor

from fairshot.learners.learner import TaskBatch
from fairshot.learners.solvers.linear import are_shared
from fairshot.learners.solvers.similarity import class_means, nearness, similarity
from fairshot.learners.training.plan import RELEASED, RELEASED_LAPTOP, Plan
from fairshot.learners.training.trainable import Head, Trainable
from fairshot.tasks.episodes import PAD


@dataclass(frozen=True)
class Prototypes(Trainable):
    """Nearest class mean."""

    reads: ClassVar = "both"
    presets: ClassVar = {
        "released": RELEASED,
        "released-laptop": RELEASED_LAPTOP,
        "paper": Plan(way=60, shot=1, query=5, steps=20_000, rate=1e-3, halve_every=2000, val_way=20, parts="base+val"),
        "laptop": Plan(way=30, shot=1, query=5, steps=1100, rate=2e-3, cosine=True, augment="drawing"),
        "reference": Plan(
            way=60,
            shot=1,
            query=5,
            in_turn=True,
            steps=7000,
            epoch=500,
            rate=2e-3,
            cosine=True,
            augment="drawing",
            parts="base+val",
        ),
        # Boutin et al. 2022: drawings are recognised by their distance to the exemplar of each class.
        "critic": Plan(
            network="critic",
            recipe="diversity",
            exemplars="simclr@omniglot-critic",
            way=60,
            shot=1,
            query=5,
            steps=8000,
            halve_every=2000,
        ),
        "critic-laptop": Plan(
            network="critic",
            recipe="diversity",
            exemplars="simclr@omniglot-critic",
            way=60,
            shot=1,
            query=2,
            steps=1200,
            rate=2e-3,
            cosine=True,
        ),
    }

    metric: Literal["l2", "cosine", "centred"] = "l2"
    scale: float = 1.0
    """What similarities are multiplied by, or begin with where it is learned."""
    learn_scale: bool = False

    @property
    def shift_invariant(self) -> bool:
        """Distances are, directions are not."""
        return self.metric == "l2"

    def start(self, width: int, classes: int) -> Head:
        """The scale, where it is learned."""
        return {"scale": torch.tensor(float(self.scale))} if self.learn_scale else {}

    def logits(self, batch: TaskBatch, head: Head) -> Float[Tensor, "episode query way"]:
        """Similarity to each class mean."""
        support, query = batch.vectors
        means = class_means(support, batch)
        if self.metric == "centred":
            centre = support.sum(1, keepdim=True) / (batch.support_labels != PAD).sum(1)[:, None, None]
            means, query = means - centre, query - centre
        if self.metric == "l2":
            alike = nearness(query, means) if are_shared(query) else similarity(query, means, "l2")
        else:
            alike = similarity(query, means, "cosine")
        scale = head.get("scale", self.scale)
        return alike if isinstance(scale, float) and scale == 1 else alike * scale
