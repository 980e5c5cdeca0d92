"""A Network turns each image into one vector; a module in this folder with a Network of its own name holds one."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn
from torch.func import functional_call, vmap

from fairshot.learners.layers.layer import Tasks, copy_structure, fold
from fairshot.runtime.errors import unknown

CHUNK = 100  # images embedded at a time: their maps stay in the cache

Shape = tuple[int, int]


class Network(nn.Module, ABC):
    """A torch module from images to vectors, made from the number of channels and pixels of an image."""

    shape: Shape
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

        # Parameters are put into a copy and out again: threads that share the network must not meet them there.
        network = copy_structure(self)

        def forward_one(task_parameters: dict[str, Tensor], task_images: Tensor, task_support: Tensor) -> Tensor:
            return functional_call(network, task_parameters, (task_images, Tasks(task_support[None])))

        of_network = {name: parameters[name] for name, _ in self.named_parameters()}
        return vmap(forward_one, randomness="different")(of_network, images, support)


@dataclass(frozen=True)
class Architecture:
    """A network by name, before it is made for images of some shape."""

    name: str
    make: Callable[[Shape], Network]
    file: str | None = None
    """The hash of its code, where it is somebody's own and nobody finds it by name."""


Finder = Callable[[str], Architecture]
_finders: list[Finder] = []


def register_finder(finder: Finder) -> None:
    """Lets networks be found by name in more places than this folder; the finder that came last is asked."""
    _finders.append(finder)


def find_architecture(name: str) -> Architecture:
    """The network of that name, of this folder or wherever the registered finder looks."""
    return _finders[-1](name) if _finders else _find_here(name)


def make_network(name: str, shape: Shape) -> Network:
    """The network of that name for images of so many channels and pixels, with random weights."""
    return find_architecture(name).make(shape)


def _find_here(name: str) -> Architecture:
    stem, this = name.replace("-", "_"), Path(__file__)
    known = [path.stem for path in sorted(this.parent.glob("[!_]*.py")) if path != this]
    if stem not in known:
        raise unknown("network", name, known)
    kind = getattr(import_module(f"{__package__}.{stem}"), "".join(word.capitalize() for word in stem.split("_")))
    return Architecture(name, lambda shape: kind(*shape))


def count_parameters(module: nn.Module) -> int:
    """All numbers that training may change."""
    return sum(parameter.numel() for parameter in module.parameters())
