"""Anybody's torch module as a network: images in, vectors out, and nothing else is asked of it."""

import copy
import inspect
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from functools import partial
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn.modules.batchnorm import _BatchNorm

from fairshot.learners.layers.layer import Tasks
from fairshot.learners.networks.network import Architecture, Network, Shape
from fairshot.runtime.errors import FairshotError, kind_of

TASKS: ContextVar[Tasks | None] = ContextVar("tasks", default=None)
"""The tasks whose images a module is shown in this thread, where batch norm has to heed them."""


class ModuleNetwork(Network):
    """A module in the place of a network; its batch norm can take statistics from the support of each task."""

    def __init__(self, module: nn.Module, name: str, shape: Shape) -> None:
        super().__init__()
        self.name = name
        self.shape = shape
        self.module = _heed_tasks(module)
        self.width = _width(self, name)
        _heed_tasks(self.module)  # lazy layers became what they are

    def forward(
        self, images: Float[Tensor, "image colour height width"], tasks: Tasks | None = None
    ) -> Float[Tensor, "image feature"]:
        """What the module makes of images, each as one flat vector."""
        if tasks is not None:
            self._refuse_other_norms()
        token = TASKS.set(tasks)
        try:
            return _as_vectors(self.module(images), len(images), self.name)
        finally:
            TASKS.reset(token)

    def _refuse_other_norms(self) -> None:
        for layer in self.module.modules():
            if isinstance(layer, _BatchNorm) and not isinstance(layer, _TaskNorm):
                raise FairshotError(
                    f"{self.name} has {kind_of(layer)}, which cannot take statistics from the support of a "
                    "task: use torch's BatchNorm2d, or another norm"
                )


class _TaskNorm(_BatchNorm):
    """Batch norm as torch has it; where a module is shown tasks, with mean and variance of the support of each."""

    def forward(self, maps: Tensor) -> Tensor:
        tasks = TASKS.get()
        if tasks is None:
            return super().forward(maps)
        mean, variance = tasks.moments(maps)
        normed = (maps - mean) * torch.rsqrt(variance + self.eps)
        if self.weight is None:
            return normed
        gain, bias = (values.view(-1, *[1] * (maps.ndim - 2)) for values in (self.weight, self.bias))
        return normed * gain + bias


class _TaskNorm1d(_TaskNorm, nn.BatchNorm1d):
    pass


class _TaskNorm2d(_TaskNorm, nn.BatchNorm2d):
    pass


NORMS: dict[type, type] = {nn.BatchNorm1d: _TaskNorm1d, nn.BatchNorm2d: _TaskNorm2d}


def as_architecture(
    target: Any, name: str, file: str | None = None, settings: Mapping[str, Any] | None = None
) -> Architecture | None:
    """A network out of a module, a class of modules, or a function that makes one; None if it is none of these.

    A class or function is called with its settings alone, or with the number of channels and pixels of an image too.
    """
    if isinstance(target, nn.Module):
        return Architecture(name, lambda shape: as_network(_copied(target, name), name, shape), file)
    makes = partial(target, **settings) if settings else target
    if isinstance(target, type) and issubclass(target, nn.Module):
        return Architecture(name, lambda shape: as_network(_make(makes, name, shape), name, shape), file)
    if not inspect.isfunction(target) or _required(makes) not in (0, 2):
        return None
    return Architecture(name, lambda shape: as_network(_make(makes, name, shape), name, shape), file)


def _copied(module: nn.Module, name: str) -> nn.Module:
    """The module again, so that training leaves the one that was given as it is."""
    try:
        return copy.deepcopy(module)
    except Exception as error:  # lazy layers without weights, handles, tensors that were computed
        raise FairshotError(
            f"{name} cannot be copied ({type(error).__name__}): give its class, or a function that makes it"
        ) from error


def as_network(made: Any, name: str, shape: Shape) -> Network:
    """A Network as it is; any other module inside one, with batch norm that can heed tasks."""
    if not isinstance(made, nn.Module):
        raise FairshotError(
            f"{name} gave {kind_of(made)} where a network was wanted: return a torch module from images to vectors"
        )
    if not isinstance(made, Network) or "tasks" not in inspect.signature(made.forward).parameters:
        return ModuleNetwork(made, name, shape)
    made.shape = shape
    made.width = getattr(made, "width", None) or _width(made, name)
    return made


def _make(target: Callable[..., Any], name: str, shape: Shape) -> Any:
    count = _required(target)
    if count not in (0, 2):
        raise FairshotError(
            f"{name} is made from {count} arguments: a network is made without any, or from the number of channels "
            "and pixels of an image"
        )
    try:
        return target(*shape) if count == 2 or _takes_shape(target) else target()
    except FairshotError:
        raise
    except Exception as error:  # whatever somebody's own code may raise
        images = "x".join(map(str, (*shape, shape[1])))
        raise FairshotError(f"{name} cannot be made for images of {images} ({_said(error)})") from error


def _positional(target: Callable[..., Any]) -> list[inspect.Parameter]:
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [parameter for parameter in inspect.signature(target).parameters.values() if parameter.kind in kinds]


def _required(target: Callable[..., Any]) -> int:
    """How many arguments have to be given."""
    return sum(parameter.default is parameter.empty for parameter in _positional(target))


def _takes_shape(target: Callable[..., Any]) -> bool:
    """Whether arguments that may be left out are those of a Network."""
    return [parameter.name for parameter in _positional(target)][:2] == ["colours", "size"]


def _heed_tasks(module: nn.Module) -> nn.Module:
    for layer in module.modules():
        layer.__class__ = NORMS.get(type(layer), type(layer))
    return module


def _width(network: Network, name: str) -> int:
    """The length of a vector, seen on two empty images."""
    colours, size = network.shape
    training = network.training
    network.eval()
    try:
        with torch.no_grad():
            vectors = network(torch.zeros(2, colours, size, size))
    except FairshotError:
        raise
    except Exception as error:  # whatever somebody's own code may raise
        raise FairshotError(f"{name} failed on images of {colours} x {size} x {size} ({_said(error)})") from error
    network.train(training)
    return int(vectors.shape[1])


def _as_vectors(answer: Any, images: int, name: str) -> Tensor:
    if not isinstance(answer, Tensor) or answer.ndim < 2 or len(answer) != images or not answer.is_floating_point():
        form = f"shape {tuple(answer.shape)}" if isinstance(answer, Tensor) else f"type {type(answer).__name__}"
        raise FairshotError(
            f"{name} gave something of {form} for {images} images: a network returns one vector of floats for each "
            "image"
        )
    return answer.flatten(1)


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}"
