"""A trained generator: draws after exemplars of any size, with dark or light ink. Weights are data, never code."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import interpolate

from fairshot.generators.generator import Drawings, Exemplars, Generator
from fairshot.generators.networks.generative import Generative
from fairshot.generators.training.trainable import TrainableGenerator
from fairshot.learners.fitted import load_weights
from fairshot.learners.seen import Seen
from fairshot.learners.training.record import Record
from fairshot.learners.training.start import draw_seed
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.memory import keep_large_blocks
from fairshot.sources.images.polarity import DARK_ON_LIGHT, tone
from fairshot.sources.recipe import find_recipe

PORTION = 100  # drawings made at a time: their maps stay in the cache
Ink = Float[Tensor, "image 1 size size"]


@dataclass(frozen=True, eq=False, repr=False)
class TrainedGenerator(Generator):
    """A generator with a network that was trained, the record of that, and what it saw."""

    settings: TrainableGenerator
    network: Generative = field(repr=False)
    record: Record
    seen: Seen | None = field(repr=False, default=None)

    def __str__(self) -> str:
        return self.record.about

    def __repr__(self) -> str:
        return f"<{self.name} on {self.record.source}, seed {self.record.seed}>"

    @property
    def name(self) -> str:
        """What results call it, unless they are told otherwise."""
        return f"trained {self.record.learner}"

    def with_sampling(self, settings: Mapping[str, Any]) -> "TrainedGenerator":
        """The same weights, drawing by other settings: those that say nothing of the training."""
        for name in settings:
            if name not in self.settings.sampling:
                free = ", ".join(self.settings.sampling) or "nothing"
                raise FairshotError(
                    f"{name} of {self.record.learner} was decided in its training: {free} can be changed without "
                    "another one"
                )
        changed = replace(self.settings, **settings)
        network = make_empty_network(changed, self.network.size)
        network.load_state_dict(self.network.state_dict())
        return replace(self, settings=changed, network=freeze(network))

    def generate(self, exemplars: Exemplars, count: int, seed: int) -> Drawings:
        """Drawings as large as the exemplars, with ink like theirs; noise depends on the seed and a class's place."""
        if exemplars.ndim != 4 or not len(exemplars) or count < 1:
            raise FairshotError(
                f"cannot draw {count} images after exemplars of shape {exemplars.shape}: give one or more (class, "
                "channel, height, width), and a count of 1 or more"
            )
        keep_large_blocks()  # the maps of one portion serve the next
        grey = exemplars.mean(axis=1, dtype=np.float32)
        bytes_ = np.rint(255 * grey.clip(0, 1)).astype(np.uint8)
        dark = np.array([tone(image[None]) == DARK_ON_LIGHT for image in bytes_])
        ink = np.where(dark[:, None, None], 1 - grey, grey)
        shown = self._prepare(torch.from_numpy(ink)[:, None]).repeat_interleave(count, 0)
        noise = torch.cat([self._noise(count, seed, number) for number in range(len(exemplars))])
        with torch.inference_mode():
            drawn = torch.cat(
                [
                    _resize(self.network.draw(*portion), exemplars.shape[2:])
                    for portion in zip(torch.split(shown, PORTION), torch.split(noise, PORTION), strict=True)
                ]
            ).clamp(0, 1)
        images = drawn.numpy().reshape(len(exemplars), count, 1, *exemplars.shape[2:])
        images = np.where(dark[:, None, None, None, None], 1 - images, images)
        return np.repeat(images, exemplars.shape[1], axis=2).astype(np.float32)

    def _noise(self, count: int, seed: int, number: int) -> Float[Tensor, "count noise"]:
        generator = torch.Generator().manual_seed(draw_seed(seed, "drawings", number))
        return torch.randn(count, self.network.noise, generator=generator)

    def _prepare(self, ink: Float[Tensor, "image 1 height width"]) -> Ink:
        """As in training: of the same size, with the whole range of greys, and cut at one half where drawings were."""
        sized = _resize(ink, (self.network.size, self.network.size)).clamp(0, 1)
        low, high = sized.amin((2, 3), keepdim=True), sized.amax((2, 3), keepdim=True)
        stretched = (sized - low) / (high - low).clamp(min=1e-6)
        return (stretched > 0.5).float() if find_recipe(self.record.recipe).binarise else stretched


def load_generator(path: Path, settings: TrainableGenerator) -> TrainedGenerator:
    """The generator whose weights a file holds."""
    record, weights, seen = load_weights(path)
    network = make_empty_network(settings, record.shape[1])
    missing, unexpected = network.load_state_dict(weights, strict=False)
    if unexpected or set(missing) & set(settings.drawing_weights(network)):
        raise FairshotError(f"the weights {path} are of another network than {record.learner} has: train anew")
    return TrainedGenerator(settings, freeze(network), record, seen)


def freeze(network: Generative) -> Generative:
    """The network as it draws and learns no more, with channels last, in which convolutions are faster."""
    frozen: Generative = network.eval().requires_grad_(False).to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    return frozen


def make_empty_network(settings: TrainableGenerator, size: int) -> Generative:
    """A network for weights that are there already; nobody's random numbers are used up for it."""
    with torch.random.fork_rng(devices=[]):
        return settings.make_network(size)


def _resize(images: Tensor, size: tuple[int, ...]) -> Tensor:
    """Bilinear, averaging where it gets smaller."""
    if tuple(images.shape[2:]) == tuple(size):
        return images
    return interpolate(images, size=tuple(size), mode="bilinear", antialias=True, align_corners=False)
