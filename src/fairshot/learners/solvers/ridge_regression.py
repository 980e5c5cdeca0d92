"""Ridge regression for whole batches of tasks, with all digits."""

import numpy as np
import torch
from jaxtyping import Float64
from torch import Tensor

ROUNDING = 1e-14  # of the trace: a penalty below this drowns in what rounding does to sums of squares


def ridge_weights(
    support: Float64[Tensor, "episode support feature"],
    targets: Float64[Tensor, "episode support way"],
    strength: Float64[Tensor, "episode 1 1"] | float,
) -> Float64[Tensor, "episode feature way"]:
    """The w that minimise |support w - targets|^2 + strength |w|^2, by the smaller of two linear systems.

    Single precision would not do: with more images than features, or with two images that are almost the same, the
    systems are singular but for the penalty, which may be a millionth of the squared features.
    """
    if support.shape[1] <= support.shape[2]:
        return support.mT @ _solve(own_products(support.mT), targets, strength)
    return weights_of_loads(support, support.mT @ targets, strength)


def weights_of_loads(
    support: Float64[Tensor, "episode support feature"],
    loads: Float64[Tensor, "episode feature way"],
    strength: Float64[Tensor, "episode 1 1"] | float,
) -> Float64[Tensor, "episode feature way"]:
    """The same where the products of features and targets are known: the targets themselves are not needed."""
    return _solve(own_products(support), loads, strength)


def _solve(
    squares: Float64[Tensor, "episode row row"],
    wanted: Float64[Tensor, "episode row way"],
    strength: Float64[Tensor, "episode 1 1"] | float,
) -> Float64[Tensor, "episode row way"]:
    """Solves with the penalty added to the diagonal."""
    trace = squares.diagonal(dim1=1, dim2=2).sum(1)[:, None, None]
    penalty = strength + ROUNDING * trace
    diagonal = penalty * torch.eye(squares.shape[1], dtype=squares.dtype)
    return torch.cholesky_solve(wanted, torch.linalg.cholesky(squares + diagonal))


def own_products(vectors: Float64[Tensor, "episode row column"]) -> Float64[Tensor, "episode column column"]:
    """The products of all columns with each other; NumPy makes only one of two equal ones, torch makes both."""
    if vectors.requires_grad:
        return vectors.mT @ vectors
    plain = vectors.numpy()
    return torch.from_numpy(np.matmul(plain.transpose(0, 2, 1), plain))
