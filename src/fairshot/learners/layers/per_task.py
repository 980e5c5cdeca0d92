"""The block of four-layer networks with weights of each task's own, made of parts that can be derived twice."""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float
from torch import Tensor
from torch.nn.functional import pad, unfold

from fairshot.learners.layers.norm import EPSILON
from fairshot.learners.layers.task_convolution import Convolved, Kernels, Maps, Output, apply
from fairshot.learners.layers.task_pooling import Chosen, PerChannel, Pooled, Smaller, window_shares

Images = Float[Tensor, "task image channel height width"]


@dataclass(frozen=True)
class BlockWeights:
    """The parameters of one block, with a row for each task."""

    kernels: Kernels
    gain: PerChannel
    bias: PerChannel


def first_block_each(images: Images, weights: BlockWeights, support: Bool[Tensor, "task image"]) -> Smaller:
    """Convolution, batch norm by the support of each task, pooling and ReLU of images that need no gradient.

    A channel's mean and variance follow from those of the pixels under the kernel, so that normalisation becomes a
    part of the kernel; and four convolutions below a pooled pixel are one product with windows of 4 x 4.
    """
    mean, variance = _moments_from_pixels(images, weights.kernels, support)
    scale = weights.gain * torch.rsqrt(variance + EPSILON)
    kernels = weights.kernels * scale[:, :, None, None, None]
    shift = (weights.bias - mean * scale)[:, None].repeat(1, 1, 4)
    four = [pad(kernels, (across, 1 - across, down, 1 - down)) for down in (0, 1) for across in (0, 1)]
    product = torch.stack(four, 1).flatten(3).permute(0, 3, 1, 2).flatten(2)
    view = pad(images, (1, 1, 1, 1)).unfold(3, 4, 2).unfold(4, 4, 2)  # an odd last row or column is in no window
    windows = view.permute(0, 1, 3, 4, 2, 5, 6).flatten(4)
    windows = torch.cat([windows, windows.new_ones(*windows.shape[:4], 1)], 4)
    chosen, _ = apply(Chosen, windows.flatten(1, 3), torch.cat([product, shift], 1), None)
    return chosen.view(*windows.shape[:4], -1)


def _moments_from_pixels(
    images: Images, kernels: Kernels, support: Bool[Tensor, "task image"]
) -> tuple[PerChannel, PerChannel]:
    """Mean and variance of each channel over all places in a task's support, before any pooling."""
    pixels = unfold(images.flatten(0, 1), 3, padding=1)
    weight = _weights(support)
    centre = torch.einsum("ti,tip->tp", weight, pixels.mean(2).double().view(*support.shape, -1))
    products = (pixels @ pixels.mT / pixels.shape[2]).double().view(*support.shape, *[pixels.shape[1]] * 2)
    spread = torch.einsum("ti,tipq->tpq", weight, products) - centre[:, :, None] * centre[:, None]
    flat = kernels.flatten(2).double()
    mean = (flat @ centre[:, :, None])[:, :, 0]
    variance = ((flat @ spread) * flat).sum(2).clamp(min=0)
    return mean.to(kernels.dtype), variance.to(kernels.dtype)


def _weights(support: Bool[Tensor, "task image"]) -> Float[Tensor, "task image"]:
    """Weights of images that sum to one over the support of each task."""
    return support.double() / support.sum(1, keepdim=True).clamp(min=1)


def block_each(maps: Maps, weights: BlockWeights, support: Bool[Tensor, "task image"]) -> Smaller:
    """Convolution, batch norm by the support of each task, pooling and ReLU; the former two commute with the latter."""
    maps = apply(Convolved, maps, weights.kernels)
    mean, variance = _moments(maps, support)
    scale = weights.gain * torch.rsqrt(variance + EPSILON)
    shift = weights.bias - mean * scale
    pooled = apply(Pooled, maps, window_shares(maps.detach(), scale.detach()))
    return torch.relu(pooled * scale[:, None, None, None] + shift[:, None, None, None])


def _moments(maps: Output, support: Bool[Tensor, "task image"]) -> tuple[PerChannel, PerChannel]:
    """Mean and variance of each channel over each task's support."""
    shown = support.any(0)
    last = int(shown.sum())
    if bool(shown[:last].all()):  # as always: support first
        maps, support = maps[:, :last], support[:, :last]
    if bool(support.all()):
        mean = maps.mean((1, 2, 3))
        return mean, (maps - mean[:, None, None, None]).square().mean((1, 2, 3))
    weight = _weights(support).to(maps.dtype)[:, :, None] / (maps.shape[2] * maps.shape[3])
    mean = (maps.sum((2, 3)) * weight).sum(1)
    return mean, ((maps - mean[:, None, None, None]).square().sum((2, 3)) * weight).sum(1)
