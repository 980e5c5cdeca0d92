"""Attention over the support images by cosine (Vinyals et al., Matching Networks, NIPS 2016), without full context.

A class gets the attention that its images get together. The paper's plain cosines are `scale=1,learn_scale=False`: with
them no class of twenty can have more than a tenth or so, so that by default the scale begins higher and is learned.
"""

from dataclasses import dataclass
from typing import ClassVar

import torch
from jaxtyping import Float
from torch import Tensor

from fairshot.learners.learner import TaskBatch
from fairshot.learners.solvers.similarity import similarity
from fairshot.learners.training.plan import RELEASED, RELEASED_LAPTOP, Plan
from fairshot.learners.training.trainable import Head, Trainable
from fairshot.tasks.episodes import PAD


@dataclass(frozen=True)
class Matching(Trainable):
    """Every support image votes for its class, the more alike the more."""

    reads: ClassVar = "both"
    presets: ClassVar = {
        "released": RELEASED,
        "released-laptop": RELEASED_LAPTOP,
        # The paper names no optimiser: that of prototypical networks on the same data.
        "paper": Plan(way=20, shot=1, query=5, steps=20_000, epoch=500, rate=1e-3, halve_every=2000, parts="base+val"),
        "laptop": Plan(way=30, shot=1, query=5, steps=1100, epoch=100, rate=2e-3, cosine=True, augment="drawing"),
    }

    scale: float = 10.0
    """What cosines are multiplied by, or begin with where it is learned."""
    learn_scale: bool = True

    def start(self, width: int, classes: int) -> Head:
        """The scale, where it is learned."""
        return {"scale": torch.tensor(float(self.scale))} if self.learn_scale else {}

    def logits(self, batch: TaskBatch, head: Head) -> Float[Tensor, "episode query way"]:
        """Logarithm of the attention that each class gets."""
        support, query = batch.vectors
        alike = similarity(query, support, "cosine") * head.get("scale", self.scale)
        alike = alike.masked_fill((batch.support_labels == PAD)[:, None, :], -torch.inf)
        shares = alike.softmax(2) @ batch.one_hot
        return shares.clamp(min=torch.finfo(shares.dtype).tiny).log()
