"""How alike two vectors are, for whole batches of tasks."""

from typing import Literal

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import normalize

Metric = Literal["l2", "cosine"]


def class_means(
    support: Float[Tensor, "episode support feature"], members: Float[Tensor, "episode support way"]
) -> Float[Tensor, "episode way feature"]:
    """The mean of each class, given who belongs to which; zero for a class that an episode does not have."""
    return (members.mT @ support) / members.sum(1).clamp(min=1)[:, :, None]


def similarity(
    queries: Float[Tensor, "episode query feature"], others: Float[Tensor, "episode other feature"], metric: Metric
) -> Float[Tensor, "episode query other"]:
    """Minus the squared Euclidean distance, or the cosine."""
    # All queries of one other lie together in memory: what follows goes through few others and many queries.
    if metric == "cosine":
        return (normalize(others, dim=-1) @ normalize(queries, dim=-1).mT).mT
    # |q - o|^2 = |q|^2 - 2 q.o + |o|^2
    products = torch.baddbmm(others.square().sum(-1, keepdim=True), others, queries.mT, beta=-1, alpha=2).mT
    return products.sub_(torch.linalg.vector_norm(queries, dim=-1, keepdim=True).square())
