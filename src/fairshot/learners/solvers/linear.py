"""Answers that are linear in the features of a query, for whole batches of tasks."""

import torch
from jaxtyping import Float
from torch import Tensor

from fairshot.learners.learner import TaskBatch


def linear_logits(
    queries: Float[Tensor, "episode query feature"],
    weights: Float[Tensor, "episode way feature"],
    offset: Float[Tensor, "episode way"],
) -> Float[Tensor, "episode query way"]:
    """The product of each query with the weights of each class, plus the class's offset.

    All queries of one class lie together in memory: what follows goes through few classes and many queries. Tasks
    that share their queries, such as the draws of a probe, are answered by one large product, which is quicker.
    """
    if len(queries) > 1 and are_shared(queries):
        flat = torch.addmm(offset.reshape(-1, 1), weights.flatten(0, 1), queries[0].mT)
        return flat.reshape(*offset.shape, -1).mT
    return torch.baddbmm(offset[:, :, None], weights, queries.mT).mT


def are_shared(queries: Float[Tensor, "episode query feature"]) -> bool:
    """Whether all tasks ask the very same queries, which then are in memory once."""
    return queries.stride(0) == 0


def class_sums(support: Float[Tensor, "episode support feature"], batch: TaskBatch) -> Tensor:
    """The sum of each class; without a product where all classes have as many images, one class after the other."""
    shot = batch.even_shot
    if shot:
        return support.reshape(len(support), batch.width, shot, -1).sum(2)
    return batch.one_hot.to(support.dtype).mT @ support
