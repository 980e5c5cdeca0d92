"""The block of four-layer networks with weights of each task's own, made of parts that can be derived twice.

Torch derives a convolution's gradient by convolutions with kernels as large as the image, and convolutions of many
tasks in groups, both slowly. But convolution and its two gradients are linear in both their arguments, and
the gradients of each are the other two: so they are written here, one task after the other.
"""

from dataclasses import dataclass
from typing import Any, Literal

import torch
from jaxtyping import Bool, Float
from torch import Tensor
from torch.nn.functional import conv2d, pad, unfold

from fairshot.learners.layers.norm import EPSILON

Images = Float[Tensor, "task image channel height width"]
Maps = Float[Tensor, "task image row column channel"]
Output = Float[Tensor, "task image row column after"]
Smaller = Float[Tensor, "task image down across after"]
Kernels = Float[Tensor, "task after channel 3 3"]
PerChannel = Float[Tensor, "task after"]

SLAB = 1 << 20  # numbers handled at a time: what fits the cache


def _apply(function: type[torch.autograd.Function], *arguments: Any) -> Any:
    return function.apply(*arguments)  # type: ignore[no-untyped-call]


def _pictures(maps: Tensor) -> Tensor:
    """One task's maps as convolutions want them; nothing is moved in memory."""
    return maps.permute(0, 3, 1, 2)


def _packed(kernels: Tensor) -> Tensor:
    return kernels.contiguous(memory_format=torch.channels_last)


def _gradient(output: Tensor, maps: Tensor, kernels: Tensor, by: Literal["maps", "kernels"]) -> Tensor:
    wanted = [by == "maps", by == "kernels", False]
    found: tuple[Tensor, ...] = torch.ops.aten.convolution_backward(
        output, maps, kernels, None, [1, 1], [1, 1], [1, 1], False, [0, 0], 1, wanted
    )
    return found[wanted.index(True)]


class Convolved(torch.autograd.Function):
    """Maps of each task under its kernels of 3 x 3, with padding."""

    @staticmethod
    def forward(ctx: Any, maps: Maps, kernels: Kernels) -> Output:
        """One task after the other."""
        ctx.save_for_backward(maps, kernels)
        each = [conv2d(_pictures(own), _packed(kernel), padding=1) for own, kernel in zip(maps, kernels, strict=True)]
        return torch.stack([own.permute(0, 2, 3, 1) for own in each])

    @staticmethod
    def backward(ctx: Any, output: Output) -> tuple[Tensor | None, Tensor | None]:
        """By the other two."""
        maps, kernels = ctx.saved_tensors
        to_maps, to_kernels = ctx.needs_input_grad
        return (
            _apply(ToMaps, output, kernels) if to_maps else None,
            _apply(ToKernels, maps, output) if to_kernels else None,
        )


class ToMaps(torch.autograd.Function):
    """What a convolution sends back to its maps."""

    @staticmethod
    def forward(ctx: Any, output: Output, kernels: Kernels) -> Maps:
        """One task after the other."""
        ctx.save_for_backward(output, kernels)
        count, channels = output.shape[1], kernels.shape[2]
        like = output.new_empty(1).expand(count, channels, *output.shape[2:4])
        each = [
            _gradient(_pictures(own), like, _packed(kernel), by="maps")
            for own, kernel in zip(output, kernels, strict=True)
        ]
        return torch.stack([own.permute(0, 2, 3, 1) for own in each])

    @staticmethod
    def backward(ctx: Any, maps: Maps) -> tuple[Tensor | None, Tensor | None]:
        """By the other two."""
        output, kernels = ctx.saved_tensors
        to_output, to_kernels = ctx.needs_input_grad
        return (
            _apply(Convolved, maps, kernels) if to_output else None,
            _apply(ToKernels, maps, output) if to_kernels else None,
        )


class ToKernels(torch.autograd.Function):
    """What a convolution sends back to its kernels."""

    @staticmethod
    def forward(ctx: Any, maps: Maps, output: Output) -> Kernels:
        """One task after the other."""
        ctx.save_for_backward(maps, output)
        like = maps.new_empty(1).expand(output.shape[-1], maps.shape[-1], 3, 3)
        each = [
            _gradient(_pictures(sent), _pictures(own), like, by="kernels")
            for sent, own in zip(output, maps, strict=True)
        ]
        return torch.stack(each)

    @staticmethod
    def backward(ctx: Any, kernels: Kernels) -> tuple[Tensor | None, Tensor | None]:
        """By the other two."""
        maps, output = ctx.saved_tensors
        to_maps, to_output = ctx.needs_input_grad
        return (
            _apply(ToMaps, output, kernels) if to_maps else None,
            _apply(Convolved, maps, kernels) if to_output else None,
        )


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
            own = torch.sub(four, largest, out=share[task, part]).sign_().add_(1)
            # All in numbers: truths are several times slower.
            own.mul_(largest.sign().clamp_(min=0).div_(own.sum(1, keepdim=True)))
            largest.relu_()
        ctx.save_for_backward(windows, share)
        ctx.mark_non_differentiable(share)
        return chosen, share

    @staticmethod
    def backward(ctx: Any, output: Tensor, _share: Tensor) -> tuple[None, Tensor, None]:
        """By its mirror image."""
        windows, share = ctx.saved_tensors
        return None, _apply(ToChosen, windows, output, share), None


class ToChosen(torch.autograd.Function):
    """What goes back to the four kernels."""

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
        """By its mirror image."""
        windows, share = ctx.saved_tensors
        return None, _apply(Chosen, windows, kernels, share)[0], None


Shares = Float[Tensor, "4 task image down across after"]


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
        """By its mirror image."""
        return _apply(ToPooled, output, ctx.saved_tensors[0], ctx.size), None


class ToPooled(torch.autograd.Function):
    """What goes back to the four pixels of each window."""

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
        """By its mirror image."""
        return _apply(Pooled, maps, ctx.saved_tensors[0]), None, None


def _corners(maps: Output) -> list[Smaller]:
    """The four pixels of each window, as views."""
    down, across = maps.shape[2] // 2 * 2, maps.shape[3] // 2 * 2
    return [maps[:, :, row:down:2, column:across:2] for row in (0, 1) for column in (0, 1)]


def _window_shares(maps: Output, scale: PerChannel) -> Shares:
    """All of the largest pixel of each window, or of the smallest where it will be turned round."""
    corners = _corners(maps)
    if bool((scale < 0).any()):
        turned = torch.where(scale < 0, -1.0, 1.0).to(maps.dtype)[:, None, None, None]
        corners = [corner * turned for corner in corners]
    largest = torch.maximum(torch.maximum(*corners[:2]), torch.maximum(*corners[2:]))
    shares = maps.new_empty(4, *largest.shape)
    for corner, share in zip(corners, shares, strict=True):
        torch.sub(corner, largest, out=share).sign_().add_(1)
    return shares.div_(shares[0] + shares[1] + shares[2] + shares[3])


def _portions(windows: Tensor, kernels: Tensor) -> list[tuple[int, slice]]:
    step = max(1, SLAB // kernels.shape[2])
    return [(t, slice(s, s + step)) for t in range(len(windows)) for s in range(0, windows.shape[1], step)]


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
    mean, variance = _pixel_moments(images, weights.kernels, support)
    scale = weights.gain * torch.rsqrt(variance + EPSILON)
    kernels = weights.kernels * scale[:, :, None, None, None]
    shift = (weights.bias - mean * scale)[:, None].repeat(1, 1, 4)
    four = [pad(kernels, (across, 1 - across, down, 1 - down)) for down in (0, 1) for across in (0, 1)]
    product = torch.stack(four, 1).flatten(3).permute(0, 3, 1, 2).flatten(2)
    view = pad(images, (1, 1, 1, 1)).unfold(3, 4, 2).unfold(4, 4, 2)  # an odd last row or column is in no window
    windows = view.permute(0, 1, 3, 4, 2, 5, 6).flatten(4)
    windows = torch.cat([windows, windows.new_ones(*windows.shape[:4], 1)], 4)
    chosen, _ = _apply(Chosen, windows.flatten(1, 3), torch.cat([product, shift], 1), None)
    return chosen.view(*windows.shape[:4], -1)


def _pixel_moments(
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
    """That sum to one over the support of each task."""
    return support.double() / support.sum(1, keepdim=True).clamp(min=1)


def block_each(maps: Maps, weights: BlockWeights, support: Bool[Tensor, "task image"]) -> Smaller:
    """Convolution, batch norm by the support of each task, pooling and ReLU; the former two commute with the latter."""
    maps = _apply(Convolved, maps, weights.kernels)
    mean, variance = _moments(maps, support)
    scale = weights.gain * torch.rsqrt(variance + EPSILON)
    shift = weights.bias - mean * scale
    pooled = _apply(Pooled, maps, _window_shares(maps.detach(), scale.detach()))
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
