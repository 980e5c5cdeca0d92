"""Choosing a setting inside the support: each support image is answered from the others."""

import torch
from jaxtyping import Float, Int
from torch import Tensor

from fairshot.learners.learner import TaskBatch
from fairshot.tasks.episodes import PAD


def choose_by_loss(logits: Float[Tensor, "candidate episode support way"], batch: TaskBatch) -> Int[Tensor, " episode"]:
    """The candidate with the lowest mean log-loss on support images that were left out, the first of equal ones."""
    real = batch.support_labels != PAD
    absent = torch.arange(batch.width) >= batch.way[:, None]
    known = logits.masked_fill(absent[None, :, None, :], -torch.inf)
    labels = batch.support_labels.clamp(min=0)[None, :, :, None].expand(len(logits), -1, -1, 1)
    losses = -known.log_softmax(3).gather(3, labels)[..., 0]
    return losses.masked_fill(~real, 0).sum(2).argmin(0)


def of_chosen(
    tables: Float[Tensor, "candidate episode ..."], chosen: Int[Tensor, " episode"]
) -> Float[Tensor, "episode ..."]:
    """For each episode what its chosen candidate has."""
    return tables[chosen, torch.arange(tables.shape[1])]
