"""Batch norm of several processes that share one batch: mean and variance are those of all their images."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor
from torch.autograd.function import once_differentiable

_SHARED: ContextVar[bool] = ContextVar("shared", default=False)

Moments = tuple[Float[Tensor, " channel"], Float[Tensor, " channel"], float]


@contextmanager
def batch_is_shared() -> Iterator[None]:
    """Inside, a batch is one process's part of the whole."""
    token = _SHARED.set(True)
    try:
        yield
    finally:
        _SHARED.reset(token)


def is_shared() -> bool:
    """Whether a batch is a part of the whole."""
    return _SHARED.get()


class _SumOfAll(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, part: Tensor) -> Tensor:
        whole = part.clone(memory_format=torch.contiguous_format)
        torch.distributed.all_reduce(whole)
        return whole

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> Tensor:
        whole = gradient.clone(memory_format=torch.contiguous_format)
        torch.distributed.all_reduce(whole)
        return whole


def sum_of_all(part: Tensor) -> Tensor:
    """The sum over all processes; its gradient is the sum of theirs."""
    whole: Tensor = _SumOfAll.apply(part)  # type: ignore[no-untyped-call]
    return whole


def shared_moments(maps: Float[Tensor, "image channel height width"]) -> Moments:
    """Mean and variance of each channel over the images of all processes, and how many numbers these are of.

    The sums can be derived: what a process's images do to the mean of the others counts, too.
    """
    numbers = maps.double().transpose(0, 1).flatten(1)
    count = numbers.new_full((1,), numbers.shape[1])
    sums = sum_of_all(torch.cat([numbers.sum(1), count]))
    mean = sums[:-1] / sums[-1]
    squares = sum_of_all((numbers - mean[:, None]).square().sum(1))
    return mean.to(maps.dtype), (squares / sums[-1]).to(maps.dtype), float(sums[-1].detach())


def normed(
    maps: Float[Tensor, "image channel height width"],
    mean: Float[Tensor, " channel"],
    scale: Float[Tensor, " channel"],
    bias: Float[Tensor, " channel"],
) -> Float[Tensor, "image channel height width"]:
    """Maps without their mean, times scale, plus bias."""
    return (maps - mean[:, None, None]) * scale[:, None, None] + bias[:, None, None]
