"""How alike two vectors are, for whole batches of tasks; only differences between similarities of one query matter."""

from typing import Literal

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import normalize

Metric = Literal["l2", "cosine"]


def similarity(
    queries: Float[Tensor, "episode query feature"], others: Float[Tensor, "episode other feature"], metric: Metric
) -> Float[Tensor, "episode query other"]:
    """Minus the squared Euclidean distance, up to a constant of each query; or the cosine."""
    if metric == "cosine":
        return normalize(queries, dim=-1) @ normalize(others, dim=-1).mT
    # |q - o|^2 = |q|^2 - 2 q.o + |o|^2, and |q|^2 is the same for all others: it changes no order and no softmax.
    return torch.baddbmm(others.square().sum(-1)[:, None, :], queries, others.mT, beta=-1, alpha=2)
