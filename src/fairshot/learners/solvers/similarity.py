"""How alike two vectors are, for whole batches of tasks."""

from typing import Literal

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import normalize

from fairshot.learners.learner import TaskBatch
from fairshot.learners.solvers.linear import are_shared, class_sums, linear_logits

Metric = Literal["l2", "cosine"]


def class_means(
    support: Float[Tensor, "episode support feature"], batch: TaskBatch
) -> Float[Tensor, "episode way feature"]:
    """The mean of each class of some tasks; zero for a class that a task does not have."""
    return class_sums(support, batch) / batch.class_counts.clamp(min=1)[:, :, None]


def similarity(
    queries: Float[Tensor, "episode query feature"], others: Float[Tensor, "episode other feature"], metric: Metric
) -> Float[Tensor, "episode query other"]:
    """Minus the squared Euclidean distance, or the cosine."""
    shared = queries[:1] if are_shared(queries) else queries
    if metric == "cosine":
        directions = normalize(shared, dim=-1).expand(queries.shape)
        return linear_logits(directions, normalize(others, dim=-1), others.new_zeros(others.shape[:2]))
    # |q - o|^2 = |q|^2 - 2 q.o + |o|^2
    return nearness(queries, others).sub_(torch.linalg.vector_norm(shared, dim=-1, keepdim=True).square())


def nearness(
    queries: Float[Tensor, "episode query feature"], others: Float[Tensor, "episode other feature"]
) -> Float[Tensor, "episode query other"]:
    """Minus the squared Euclidean distance, but for the squared length of the query, which changes no comparison."""
    return linear_logits(queries, 2 * others, -others.square().sum(-1))
