"""What layers of networks share: batch norm by task, and a quicker form for evaluation."""

import copy
from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, TypeVar

from jaxtyping import Bool, Float
from torch import Tensor, nn

Module = TypeVar("Module", bound=nn.Module)


@dataclass(frozen=True)
class Tasks:
    """Which images of a batch belong to which task, and which of them are its support.

    Batch norm then takes mean and variance from the support of each task (Meta-Dataset), so that no query is
    normalised by others.
    """

    support: Bool[Tensor, "task image"]

    def moments(self, maps: Float[Tensor, "all channel *place"]) -> tuple[Tensor, Tensor]:
        """Mean and variance of each channel over the support of each task, repeated for all its images."""
        count, images = self.support.shape
        apart = maps.reshape(count, images, *maps.shape[1:])
        weight = self.support.to(maps.dtype).view(count, images, *[1] * (maps.ndim - 1))
        over = (1, *range(3, maps.ndim + 1))
        places = maps[0, 0].numel()
        total = weight.sum(1, keepdim=True).clamp(min=1) * places
        mean = (apart * weight).sum(over, keepdim=True) / total
        variance = ((apart - mean).square() * weight).sum(over, keepdim=True) / total
        wide = (m.expand(count, images, *m.shape[2:]).flatten(0, 1) for m in (mean, variance))
        return next(wide), next(wide)


class Foldable(nn.Module):
    """A part of a network that has a quicker form in evaluation."""

    @abstractmethod
    def folded(self) -> nn.Module:
        """That form, with batch norm inside the convolution."""


def fold(module: nn.Module) -> nn.Module:
    """A copy for evaluation whose Foldable parts are folded, once for all images; the rest shares its numbers."""
    return _fold(copy_structure(module).eval())


def copy_structure(module: Module) -> Module:
    """A copy of a module that shares its parameters and buffers."""
    shared: dict[int, Any] = {id(tensor): tensor for tensor in (*module.parameters(), *module.buffers())}
    return copy.deepcopy(module, shared)


def _fold(module: nn.Module) -> nn.Module:
    for name, child in module.named_children():
        setattr(module, name, child.folded() if isinstance(child, Foldable) else _fold(child))
    return module
