"""Convolution with kernels of each task's own, made so that it can be derived twice.

Torch derives a convolution's gradient by convolutions with kernels as large as the image, and convolutions of many
tasks in groups, both slowly. But convolution and its two gradients are linear in both their arguments, and
the gradients of each are the other two: so they are written here, one task after the other.
"""

from typing import Any, Literal

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import conv2d

Maps = Float[Tensor, "task image row column channel"]
Output = Float[Tensor, "task image row column after"]
Kernels = Float[Tensor, "task after channel 3 3"]


def apply(function: type[torch.autograd.Function], *arguments: Any) -> Any:
    """The function with its gradient; torch says nothing of its types."""
    return function.apply(*arguments)  # type: ignore[no-untyped-call]


def _pictures(maps: Tensor) -> Tensor:
    """One task's maps as convolutions want them; nothing is moved in memory."""
    return maps.permute(0, 3, 1, 2)


def _packed(kernels: Tensor) -> Tensor:
    return kernels.contiguous(memory_format=torch.channels_last)


def _gradient(output: Tensor, maps: Tensor, kernels: Tensor, by: Literal["maps", "kernels"]) -> Tensor:
    """What one task's output sends back to its maps or to its kernels."""
    wanted = [by == "maps", by == "kernels", False]
    gradients: tuple[Tensor, ...] = torch.ops.aten.convolution_backward(
        output, maps, kernels, None, [1, 1], [1, 1], [1, 1], False, [0, 0], 1, wanted
    )
    return gradients[wanted.index(True)]


class Convolved(torch.autograd.Function):
    """Maps of each task under its kernels of 3 x 3, with padding."""

    @staticmethod
    def forward(ctx: Any, maps: Maps, kernels: Kernels) -> Output:
        """One task after the other."""
        ctx.save_for_backward(maps, kernels)
        outputs = [
            conv2d(_pictures(task_maps), _packed(task_kernels), padding=1)
            for task_maps, task_kernels in zip(maps, kernels, strict=True)
        ]
        return torch.stack([output.permute(0, 2, 3, 1) for output in outputs])

    @staticmethod
    def backward(ctx: Any, output: Output) -> tuple[Tensor | None, Tensor | None]:
        """By the other two functions."""
        maps, kernels = ctx.saved_tensors
        needs_maps, needs_kernels = ctx.needs_input_grad
        return (
            apply(ToMaps, output, kernels) if needs_maps else None,
            apply(ToKernels, maps, output) if needs_kernels else None,
        )


class ToMaps(torch.autograd.Function):
    """What a convolution sends back to its maps."""

    @staticmethod
    def forward(ctx: Any, output: Output, kernels: Kernels) -> Maps:
        """One task after the other."""
        ctx.save_for_backward(output, kernels)
        count, channels = output.shape[1], kernels.shape[2]
        shape_alone = output.new_empty(1).expand(count, channels, *output.shape[2:4])
        gradients = [
            _gradient(_pictures(task_output), shape_alone, _packed(task_kernels), by="maps")
            for task_output, task_kernels in zip(output, kernels, strict=True)
        ]
        return torch.stack([gradient.permute(0, 2, 3, 1) for gradient in gradients])

    @staticmethod
    def backward(ctx: Any, maps: Maps) -> tuple[Tensor | None, Tensor | None]:
        """By the other two functions."""
        output, kernels = ctx.saved_tensors
        needs_output, needs_kernels = ctx.needs_input_grad
        return (
            apply(Convolved, maps, kernels) if needs_output else None,
            apply(ToKernels, maps, output) if needs_kernels else None,
        )


class ToKernels(torch.autograd.Function):
    """What a convolution sends back to its kernels."""

    @staticmethod
    def forward(ctx: Any, maps: Maps, output: Output) -> Kernels:
        """One task after the other."""
        ctx.save_for_backward(maps, output)
        shape_alone = maps.new_empty(1).expand(output.shape[-1], maps.shape[-1], 3, 3)
        gradients = [
            _gradient(_pictures(task_output), _pictures(task_maps), shape_alone, by="kernels")
            for task_output, task_maps in zip(output, maps, strict=True)
        ]
        return torch.stack(gradients)

    @staticmethod
    def backward(ctx: Any, kernels: Kernels) -> tuple[Tensor | None, Tensor | None]:
        """By the other two functions."""
        maps, output = ctx.saved_tensors
        needs_maps, needs_output = ctx.needs_input_grad
        return (
            apply(ToMaps, output, kernels) if needs_maps else None,
            apply(Convolved, maps, kernels) if needs_output else None,
        )
