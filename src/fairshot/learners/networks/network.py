"""A Network turns each image into one vector; a module in this folder with a Network of its own name holds one."""

import copy
import re
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn
from torch.func import functional_call, vmap

from fairshot.runtime.errors import unknown

CHUNK = 100  # images embedded at a time: their maps stay in the cache


@dataclass(frozen=True)
class Tasks:
    """Which images of a batch belong to which task, and which of them are its support.

    Batch norm then takes mean and variance from the support of each task (Meta-Dataset), so that no query is
    normalised by others.
    """

    support: Bool[Tensor, "task image"]

    def moments(self, maps: Float[Tensor, "all channel *place"]) -> tuple[Tensor, Tensor]:
        """Mean and variance of each channel over the support of each task, repeated for all its images."""
        count, each = self.support.shape
        apart = maps.reshape(count, each, *maps.shape[1:])
        weight = self.support.to(maps.dtype).view(count, each, *[1] * (maps.ndim - 1))
        over = (1, *range(3, maps.ndim + 1))
        places = maps[0, 0].numel()
        total = weight.sum(1, keepdim=True).clamp(min=1) * places
        mean = (apart * weight).sum(over, keepdim=True) / total
        variance = ((apart - mean).square() * weight).sum(over, keepdim=True) / total
        wide = (m.expand(count, each, *m.shape[2:]).flatten(0, 1) for m in (mean, variance))
        return next(wide), next(wide)


class Foldable(nn.Module):
    """A part of a network that has a quicker form in evaluation."""

    @abstractmethod
    def folded(self) -> nn.Module:
        """That form, with batch norm inside the convolution."""


class Network(nn.Module):
    """A torch module from images to vectors, made from the number of channels and pixels of an image."""

    shape: tuple[int, int]
    """Channels of an image, and its width and height in pixels."""
    width: int
    """Numbers in the vector."""

    @abstractmethod
    def forward(
        self, images: Float[Tensor, "image colour height width"], tasks: Tasks | None = None
    ) -> Float[Tensor, "image feature"]:
        """In training, batch norm uses the batch; otherwise what it learned; with tasks, the support of each."""

    def embed(self, images: Float[Tensor, "image colour height width"]) -> Float[Tensor, "image feature"]:
        """Each image by itself, without gradient, with what batch norm learned."""
        with torch.no_grad():
            folded = fold(self)
            return torch.cat([folded(part) for part in torch.split(images, CHUNK)])

    def forward_each(
        self,
        parameters: Mapping[str, Float[Tensor, "task ..."]],
        images: Float[Tensor, "task image colour height width"],
        support: Bool[Tensor, "task image"],
    ) -> Float[Tensor, "task image feature"]:
        """Every task with parameters of its own; batch norm uses the support of each. Can be derived twice."""

        def one(own: dict[str, Tensor], shown: Tensor, known: Tensor) -> Tensor:
            return functional_call(self, own, (shown, Tasks(known[None])))

        return vmap(one, randomness="different")(dict(parameters), images, support)


def make_network(name: str, shape: tuple[int, int]) -> Network:
    """The network of that name for images of so many channels and pixels, with random weights."""
    stem = name.replace("-", "_")
    known = [
        path.stem
        for path in sorted(Path(__file__).parent.glob("*.py"))
        if re.search(r"^class \w+\(Network\):", path.read_text(), re.M)
    ]
    if stem not in known:
        raise unknown("network", name, known)
    kind = "".join(word.capitalize() for word in stem.split("_"))
    network: Network = getattr(import_module(f"{__package__}.{stem}"), kind)(*shape)
    return network


def fold(module: nn.Module) -> nn.Module:
    """A copy for evaluation whose Foldable parts are folded, once for all images; the rest shares its numbers."""
    shared = {id(own): own for own in (*module.parameters(), *module.buffers())}
    return _fold(copy.deepcopy(module, shared).eval())


def _fold(module: nn.Module) -> nn.Module:
    for name, child in module.named_children():
        setattr(module, name, child.folded() if isinstance(child, Foldable) else _fold(child))
    return module


def count_parameters(module: nn.Module) -> int:
    """All numbers that training may change."""
    return sum(parameter.numel() for parameter in module.parameters())
