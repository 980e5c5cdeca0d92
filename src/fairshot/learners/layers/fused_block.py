"""Convolution, batch norm, pooling, ReLU: the block that four-layer networks are made of, in fewer trips to memory.

On a CPU the passes between two convolutions take longer than the first convolution itself. Here batch norm and ReLU
come after pooling where that changes nothing, both are done a few images at a time, as long as these are in the cache,
and the statistics behind the first layer follow from its few input pixels without looking at its output at all.
"""

from collections.abc import Iterable
from functools import reduce
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor
from torch.autograd.function import once_differentiable
from torch.nn.functional import pad, unfold

SLAB = 1 << 20  # numbers handled at a time: what fits the cache

Maps = Float[Tensor, "image row column channel"]
Pooled = Float[Tensor, "image down across channel"]
PerChannel = Float[Tensor, " channel"]


def _slabs(maps: Tensor) -> range:
    """Where portions of some images begin."""
    return range(0, len(maps), _images(maps))


def _images(maps: Tensor) -> int:
    return max(1, SLAB // max(1, maps[:1].numel()))


def _windows(maps: Maps) -> Float[Tensor, "image down 2 across 2 channel"]:
    """Windows of 2 x 2 as dimensions of their own; an odd last row or column is in none, as in pooling."""
    count, down, across, channels = len(maps), maps.shape[1] // 2, maps.shape[2] // 2, maps.shape[3]
    return maps[:, : 2 * down, : 2 * across].view(count, down, 2, across, 2, channels)


def moments(maps: Maps) -> tuple[PerChannel, PerChannel]:
    """Mean and variance of each channel, summed up in portions, which keeps the digits that one long sum loses."""
    flat = maps.flatten(0, 2)
    totals = torch.zeros(2, flat.shape[1], dtype=torch.float64)
    step = max(1, SLAB // flat.shape[1])
    shift = flat[:step].mean(0)
    for start in range(0, len(flat), step):
        centred = flat[start : start + step] - shift
        totals[0] += centred.sum(0)
        totals[1] += centred.square_().sum(0)
    mean = totals[0] / len(flat)
    variance = (totals[1] / len(flat) - mean.square()).clamp(min=0)
    return (mean + shift).to(maps.dtype), variance.to(maps.dtype)


class NormPoolRelu(torch.autograd.Function):
    """Batch norm over all images, 2 x 2 max-pooling and ReLU of channels-last maps; also gives mean and variance."""

    @staticmethod
    def forward(
        ctx: Any, maps: Maps, gain: PerChannel, bias: PerChannel, epsilon: float
    ) -> tuple[Pooled, PerChannel, PerChannel]:
        """The largest of each window before gain and bias, which come after it: a negative gain flips the order."""
        mean, variance = moments(maps)
        scale = torch.rsqrt(variance + epsilon) * _sign(gain)
        largest = maps.new_empty(len(maps), maps.shape[1] // 2, maps.shape[2] // 2, maps.shape[3])
        for start in _slabs(maps):
            part = slice(start, start + _images(maps))
            torch.amax(_windows((maps[part] - mean).mul_(scale)), (2, 4), out=largest[part])
        ctx.save_for_backward(maps, largest, gain, bias, mean, scale)
        ctx.mark_non_differentiable(mean, variance)
        return torch.relu_(largest * gain.abs() + bias), mean, variance

    @staticmethod
    @once_differentiable
    def backward(
        ctx: Any, gradient: Pooled, _mean: Tensor, _variance: Tensor
    ) -> tuple[Maps, PerChannel, PerChannel, None]:
        """The usual gradient of batch norm; equal largest pixels of a window share what comes back."""
        maps, largest, gain, bias, mean, scale = ctx.saved_tensors
        gradient = gradient * (largest * gain.abs() + bias > 0)
        to_bias = gradient.flatten(0, 2).sum(0)
        to_size = (gradient * largest).flatten(0, 2).sum(0)  # the gradient of |gain|
        count = maps.numel() // maps.shape[3]
        to_maps = torch.empty_like(maps)
        factor = gain.abs() * scale
        for start in _slabs(maps):
            part = slice(start, start + _images(maps))
            normed = (maps[part] - mean).mul_(scale)
            windows, top = _windows(normed), largest[part][:, :, None, :, None]
            chosen = windows == top
            shared = gradient[part] / _count(chosen[:, :, i, :, j] for i in (0, 1) for j in (0, 1))
            target = to_maps[part]
            torch.mul(normed, -to_size / count, out=target)
            target.sub_(to_bias / count)
            _windows(target).addcmul_(chosen, shared[:, :, None, :, None])
            target.mul_(factor)
        return to_maps, to_size * _sign(gain), to_bias, None


def norm_pool_relu(
    maps: Maps, gain: PerChannel, bias: PerChannel, epsilon: float
) -> tuple[Pooled, PerChannel, PerChannel]:
    """Batch norm over all images, pooling and ReLU, with mean and variance."""
    return NormPoolRelu.apply(maps, gain, bias, epsilon)  # type: ignore[no-untyped-call]


def _count(chosen: Iterable[Tensor]) -> Tensor:
    """How many are true, in bytes: a sum of truths as numbers takes far longer."""
    return reduce(torch.add, (one.view(torch.uint8) for one in chosen))


def _sign(gain: PerChannel) -> PerChannel:
    return torch.where(gain < 0, -1.0, 1.0)


class ConvPoolRelu(torch.autograd.Function):
    """Convolution, 2 x 2 max-pooling and ReLU of images that need no gradient themselves.

    A window of 4 x 4 pixels holds all that four neighbouring outputs see, so that the four convolutions below one
    pooled pixel are one matrix product, and nothing as large as the unpooled maps is ever kept.
    """

    @staticmethod
    def forward(
        ctx: Any,
        windows: Float[Tensor, "image down across pixel"],
        kernels: Float[Tensor, "pixel four_channels"],
        bias: PerChannel,
    ) -> Pooled:
        """Pooled maps."""
        pooled = windows.new_empty(*windows.shape[:3], len(bias))
        for part in _portions(windows, kernels):
            four = (windows[part].flatten(0, 2) @ kernels).view(-1, 4, len(bias))
            torch.amax(four, 1, out=pooled[part].view(-1, len(bias)))
        pooled.add_(bias).relu_()
        ctx.save_for_backward(windows, kernels, pooled)
        return pooled

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Pooled) -> tuple[None, Tensor, PerChannel]:
        """The four convolutions are made again to see which was the largest: cheaper than to remember it."""
        windows, kernels, pooled = ctx.saved_tensors
        gradient = gradient * (pooled > 0)
        to_kernels = torch.zeros_like(kernels)
        for part in _portions(windows, kernels):
            flat = windows[part].flatten(0, 2)
            four = (flat @ kernels).view(len(flat), 4, -1)
            chosen = four == four.amax(1, keepdim=True)
            shared = gradient[part].reshape(len(flat), -1) / _count(chosen[:, place] for place in range(4))
            to_kernels.addmm_(flat.T, (chosen * shared[:, None]).flatten(1))
        return None, to_kernels, gradient.flatten(0, 2).sum(0)


def _portions(windows: Tensor, kernels: Tensor) -> list[slice]:
    step = max(1, SLAB // max(1, windows.shape[1] * windows.shape[2] * kernels.shape[1]))
    return [slice(start, start + step) for start in range(0, len(windows), step)]


def first_block(
    images: Float[Tensor, "image colour height width"],
    weight: Float[Tensor, "channel colour 3 3"],
    gain: PerChannel,
    bias: PerChannel,
    epsilon: float,
) -> tuple[Pooled, PerChannel, PerChannel]:
    """The same as convolution and `NormPoolRelu` for images without gradient and small kernels.

    What a channel's mean and variance are follows from mean and covariance of the pixels under the kernel.
    """
    pixels = unfold(images, 3, padding=1)
    centre = pixels.mean(2).double().mean(0)
    products = (pixels @ pixels.mT / pixels.shape[2]).double().mean(0)  # summed over images with all digits
    flat = weight.flatten(1).double()
    mean = flat @ centre
    variance = ((flat @ (products - centre[:, None] * centre)) * flat).sum(1).clamp(min=0)
    mean, variance = mean.to(weight.dtype), variance.to(weight.dtype)
    scale = gain * torch.rsqrt(variance + epsilon)
    pooled = conv_pool_relu(images, weight * scale[:, None, None, None], bias - mean * scale)
    return pooled, mean.detach(), variance.detach()


def conv_pool_relu(
    images: Float[Tensor, "image colour height width"],
    weight: Float[Tensor, "channel colour 3 3"],
    bias: PerChannel,
) -> Pooled:
    """Convolution with padding 1, 2 x 2 max-pooling and ReLU; gradients to weight and bias alone."""
    return pool_relu_windows(images, four_kernels(weight), bias)


def four_kernels(weight: Float[Tensor, "channel colour 3 3"]) -> Float[Tensor, "pixel four_channels"]:
    """The kernel at its four places in a window of 4 x 4 pixels."""
    four = torch.stack([pad(weight, (across, 1 - across, down, 1 - down)) for down in (0, 1) for across in (0, 1)])
    return four.flatten(2).permute(2, 0, 1).flatten(1)


def pool_relu_windows(
    images: Float[Tensor, "image colour height width"],
    kernels: Float[Tensor, "pixel four_channels"],
    bias: PerChannel,
) -> Pooled:
    """The same as `conv_pool_relu` for kernels that are made already."""
    view = pad(images, (1, 1, 1, 1)).unfold(2, 4, 2).unfold(3, 4, 2)
    windows = view.permute(0, 2, 3, 1, 4, 5).flatten(3).contiguous()
    return ConvPoolRelu.apply(windows, kernels, bias)  # type: ignore[no-untyped-call]
