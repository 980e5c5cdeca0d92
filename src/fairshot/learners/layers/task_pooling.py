"""Pooling in which only some pixels count, for many tasks at once, made so that it can be derived twice."""

from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from fairshot.learners.layers.task_convolution import Output, apply

Smaller = Float[Tensor, "task image down across after"]
Shares = Float[Tensor, "4 task image down across after"]
PerChannel = Float[Tensor, "task after"]

SLAB = 1 << 20  # numbers handled at a time: what fits the cache


class Chosen(torch.autograd.Function):
    """Products of windows with four kernels each, of which only some count: those that pooling and ReLU let through.

    `share` says how much of each counts; without it, all of the largest does, if it is above zero.
    """

    @staticmethod
    def forward(
        ctx: Any,
        windows: Float[Tensor, "task window pixel"],
        kernels: Float[Tensor, "task pixel four_channels"],
        share: Float[Tensor, "task window 4 channel"] | None,
    ) -> tuple[Float[Tensor, "task window channel"], Float[Tensor, "task window 4 channel"]]:
        """What counts, and how much of each."""
        given, channels = share is not None, kernels.shape[2] // 4
        share = windows.new_empty(*windows.shape[:2], 4, channels) if share is None else share
        chosen = windows.new_empty(*windows.shape[:2], channels)
        for task, part in _portions(windows, kernels):
            four = (windows[task, part] @ kernels[task]).view(-1, 4, channels)
            if given:
                torch.sum(four.mul_(share[task, part]), 1, out=chosen[task, part])
                continue
            largest = torch.amax(four, 1, out=chosen[task, part])[:, None]
            is_largest = torch.sub(four, largest, out=share[task, part]).sign_().add_(1)
            # All in numbers: truths are several times slower.
            is_largest.mul_(largest.sign().clamp_(min=0).div_(is_largest.sum(1, keepdim=True)))
            largest.relu_()
        ctx.save_for_backward(windows, share)
        ctx.mark_non_differentiable(share)
        return chosen, share

    @staticmethod
    def backward(ctx: Any, output: Tensor, _share: Tensor) -> tuple[None, Tensor, None]:
        """By the function that goes the other way."""
        windows, share = ctx.saved_tensors
        return None, apply(ToChosen, windows, output, share), None


class ToChosen(torch.autograd.Function):
    """What `Chosen` sends back to the four kernels."""

    @staticmethod
    def forward(
        ctx: Any,
        windows: Float[Tensor, "task window pixel"],
        output: Float[Tensor, "task window channel"],
        share: Float[Tensor, "task window 4 channel"],
    ) -> Float[Tensor, "task pixel four_channels"]:
        """In portions: four maps are larger than the cache."""
        ctx.save_for_backward(windows, share)
        kernels = windows.new_zeros(len(windows), windows.shape[2], 4 * output.shape[2])
        for task, part in _portions(windows, kernels):
            sent = (share[task, part] * output[task, part][:, None]).flatten(1)
            kernels[task].addmm_(windows[task, part].T, sent)
        return kernels

    @staticmethod
    def backward(ctx: Any, kernels: Tensor) -> tuple[None, Tensor, None]:
        """By the function that goes the other way."""
        windows, share = ctx.saved_tensors
        return None, apply(Chosen, windows, kernels, share)[0], None


class Pooled(torch.autograd.Function):
    """The four pixels of each 2 x 2 window, added up by their shares; an odd last row or column is in no window."""

    @staticmethod
    def forward(ctx: Any, maps: Output, shares: Shares) -> Smaller:
        """Pooled maps."""
        ctx.save_for_backward(shares)
        ctx.size = maps.shape[2:4]
        pooled = torch.zeros_like(shares[0])
        for corner, share in zip(_corners(maps), shares, strict=True):
            pooled.addcmul_(corner, share)
        return pooled

    @staticmethod
    def backward(ctx: Any, output: Smaller) -> tuple[Tensor, None]:
        """By the function that goes the other way."""
        return apply(ToPooled, output, ctx.saved_tensors[0], ctx.size), None


class ToPooled(torch.autograd.Function):
    """What `Pooled` sends back to the four pixels of each window."""

    @staticmethod
    def forward(ctx: Any, output: Smaller, shares: Shares, size: tuple[int, int]) -> Output:
        """Maps of that size."""
        ctx.save_for_backward(shares)
        odd = size[0] % 2 or size[1] % 2
        shape = (*output.shape[:2], *size, output.shape[4])
        maps = output.new_zeros(shape) if odd else output.new_empty(shape)
        for corner, share in zip(_corners(maps), shares, strict=True):
            torch.mul(output, share, out=corner)
        return maps

    @staticmethod
    def backward(ctx: Any, maps: Output) -> tuple[Tensor, None, None]:
        """By the function that goes the other way."""
        return apply(Pooled, maps, ctx.saved_tensors[0]), None, None


def _corners(maps: Output) -> list[Smaller]:
    """The four pixels of each window, as views."""
    down, across = maps.shape[2] // 2 * 2, maps.shape[3] // 2 * 2
    return [maps[:, :, row:down:2, column:across:2] for row in (0, 1) for column in (0, 1)]


def window_shares(maps: Output, scale: PerChannel) -> Shares:
    """Shares that are all with the largest pixel of each window, or with the smallest where the sign will change."""
    corners = _corners(maps)
    if bool((scale < 0).any()):
        signs = torch.where(scale < 0, -1.0, 1.0).to(maps.dtype)[:, None, None, None]
        corners = [corner * signs for corner in corners]
    largest = torch.maximum(torch.maximum(*corners[:2]), torch.maximum(*corners[2:]))
    shares = maps.new_empty(4, *largest.shape)
    for corner, share in zip(corners, shares, strict=True):
        torch.sub(corner, largest, out=share).sign_().add_(1)
    return shares.div_(shares[0] + shares[1] + shares[2] + shares[3])


def _portions(windows: Tensor, kernels: Tensor) -> list[tuple[int, slice]]:
    """Each task with as many of its windows at a time as fit the cache."""
    step = max(1, SLAB // kernels.shape[2])
    starts = range(0, windows.shape[1], step)
    return [(task, slice(start, start + step)) for task in range(len(windows)) for start in starts]
