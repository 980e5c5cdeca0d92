"""A Network turns each image into one vector; a module in this folder with a Network of its own name holds one."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn
from torch.func import functional_call, vmap

from fairshot.learners.layers.layer import Tasks, fold
from fairshot.runtime.errors import unknown

CHUNK = 100  # images embedded at a time: their maps stay in the cache


class Network(nn.Module, ABC):
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
    own = Path(__file__)
    known = [path.stem for path in sorted(own.parent.glob("[!_]*.py")) if path != own]
    if stem not in known:
        raise unknown("network", name, known)
    kind = "".join(word.capitalize() for word in stem.split("_"))
    network: Network = getattr(import_module(f"{__package__}.{stem}"), kind)(*shape)
    return network


def count_parameters(module: nn.Module) -> int:
    """All numbers that training may change."""
    return sum(parameter.numel() for parameter in module.parameters())
