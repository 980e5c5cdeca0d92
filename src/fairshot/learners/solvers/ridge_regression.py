"""Ridge regression for whole batches of tasks, with all digits."""

import numpy as np
import torch
from jaxtyping import Float64
from torch import Tensor

ROUNDING = 1e-14  # of the trace: a penalty below this drowns in what rounding does to sums of squares


def ridge_weights(
    support: Float64[Tensor, "episode support feature"],
    targets: Float64[Tensor, "episode support way"] | None,
    strength: Float64[Tensor, "episode 1 1"] | float,
    *,
    loads: Float64[Tensor, "episode feature way"] | None = None,
) -> Float64[Tensor, "episode feature way"]:
    """The w that minimise |support w - targets|^2 + strength |w|^2, by the smaller of two linear systems.

    Single precision would not do: with more images than features, or with two images that are almost the same, the
    systems are singular but for the penalty, which may be a millionth of the squared features.
    `loads` are the products of features and targets, where they are known; then targets are needed only by the dual
    system.
    """
    few = dual(support)
    squares = own_products(support.mT if few else support)
    penalty = strength + ROUNDING * squares.diagonal(dim1=1, dim2=2).sum(1)[:, None, None]
    lower = torch.linalg.cholesky(squares + penalty * torch.eye(min(support.shape[1:]), dtype=squares.dtype))
    if few:
        assert targets is not None, "the dual system needs them"
        return support.mT @ torch.cholesky_solve(targets, lower)
    if loads is None:
        assert targets is not None, "or their products with the features"
        loads = support.mT @ targets
    return torch.cholesky_solve(loads, lower)


def dual(support: Float64[Tensor, "episode support feature"]) -> bool:
    """Whether the system of as many equations as images is the smaller one."""
    return support.shape[1] <= support.shape[2]


def own_products(vectors: Float64[Tensor, "episode row column"]) -> Float64[Tensor, "episode column column"]:
    """The products of all columns with each other; NumPy makes only one of two equal ones, torch makes both."""
    if vectors.requires_grad:
        return vectors.mT @ vectors
    plain = vectors.numpy()
    return torch.from_numpy(np.matmul(plain.transpose(0, 2, 1), plain))
