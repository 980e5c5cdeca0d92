"""An Encoder: images in, a vector for each out. Whatever classifies them stands behind it."""

from abc import ABC, abstractmethod
from dataclasses import asdict, dataclass, is_dataclass
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.fingerprints import fingerprint
from fairshot.sources.source import Source


class Encoder(ABC):
    """A frozen dataclass whose fields are its settings; it sees each image by itself."""

    plain: ClassVar[bool] = False
    """Whether it is shown pixels from 0 to 1 whatever range a recipe gives them."""

    @property
    @abstractmethod
    def name(self) -> str:
        """What results call it."""

    @property
    @abstractmethod
    def identity(self) -> str | None:
        """Names its weights, its code and its settings; vectors of an encoder without one are not kept."""

    @property
    def pixels(self) -> int | None:
        """The side of the square images that it wants to see; None where it takes any."""
        return None

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader of any result must know of it."""
        return ()

    @abstractmethod
    def embed(self, images: Float[Tensor, "image ..."]) -> Float[Tensor, "image feature"]:
        """A vector for each image."""

    def find_vectors(
        self, source: Source, rows: Int[np.ndarray, " image"]
    ) -> Float[np.ndarray, "image feature"] | None:
        """Vectors of some rows that are known without looking at the images; None where images have to be seen."""
        return None


@dataclass(frozen=True)
class Weights:
    """A network that was trained elsewhere, and how it wants to be shown images."""

    network: nn.Module
    pixels: int
    mean: tuple[float, ...]
    deviation: tuple[float, ...]


class TrainedEncoder(Encoder):
    """An encoder whose weights were trained elsewhere; its images are resized, given three channels and scaled."""

    plain: ClassVar[bool] = True
    trained_on: ClassVar[str] = ""
    """On what, where that is known."""

    @abstractmethod
    def load(self) -> Weights:
        """The network with its weights, which is then kept in memory."""

    @property
    def weights(self) -> Weights:
        """Read once in a process."""
        return _load(self)

    @property
    def identity(self) -> str:
        """Kind, settings and every weight."""
        settings: dict[str, Any] = asdict(self) if is_dataclass(self) else {}
        return fingerprint(type(self).__qualname__, settings, _hash_weights(self))

    @property
    def pixels(self) -> int:
        """As its weights were trained, unless a setting says otherwise."""
        return getattr(self, "size", None) or self.weights.pixels

    @property
    def warnings(self) -> tuple[str, ...]:
        """What it was trained on may be what it is tried on."""
        known = self.trained_on or "images that nobody lists here"
        return (
            f"{self.name} made vectors of the images; it was trained on {known}: where your classes are among them, "
            "accuracies are too high for classes that it never saw",
        )

    def embed(self, images: Float[Tensor, "image ..."]) -> Float[Tensor, "image feature"]:
        """Images with values from 0 to 1, of any size, grey or in colour."""
        if images.ndim != 4:
            raise FairshotError(f"{self.name} reads images, and was given vectors: leave it out")
        weights = self.weights
        shown = images if images.shape[1] == 3 else images[:, :1].expand(-1, 3, -1, -1)
        if shown.shape[2:] != (self.pixels, self.pixels):
            shown = functional.interpolate(
                shown, (self.pixels, self.pixels), mode="bilinear", align_corners=False, antialias=True
            )
        mean, deviation = (
            torch.tensor(values, dtype=torch.float32)[:, None, None] for values in (weights.mean, weights.deviation)
        )
        vectors = weights.network(((shown - mean) / deviation).contiguous(memory_format=torch.channels_last))
        return vectors.flatten(1).float()


@lru_cache(maxsize=4)
def _load(encoder: TrainedEncoder) -> Weights:
    with torch.random.fork_rng(devices=[]):
        weights = encoder.load()
    weights.network.eval().requires_grad_(requires_grad=False)
    return weights


@lru_cache(maxsize=4)
def _hash_weights(encoder: TrainedEncoder) -> str:
    state = encoder.weights.network.state_dict()
    return fingerprint(*(part for name, values in sorted(state.items()) for part in (name, values.float().numpy())))


def missing_package(encoder: str, package: str, extra: str) -> FairshotError:
    """The error for an encoder whose package is not installed."""
    return FairshotError(
        f"the encoder {encoder} needs the package {package}, which is not installed: pip install 'fairshot[{extra}]'"
    )
