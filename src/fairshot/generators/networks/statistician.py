"""The Neural Statistician: a vector for a set of drawings, and one for each of them (Edwards and Storkey, ICLR 2017).

As Boutin et al. 2022 use it: one latent layer, fully connected between the convolutions.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor, nn

from fairshot.generators.networks.generative import (
    Generative,
    Images,
    Vectors,
    gaussian_kl,
    gaussian_kl_between,
    sample_gaussian,
)

Sets = Float[Tensor, "set drawing 1 size size"]
Gaussian = tuple[Tensor, Tensor]
LEVELS = 4


@dataclass(frozen=True, kw_only=True)
class StatisticianSizes:
    """All numbers that the network's layers depend on."""

    size: int = 50
    latent: int = 16
    context: int = 512
    """Numbers in the vector of a set."""
    hidden: int = 256
    width: int = 32
    """Channels of the first convolutions; they double at each of four levels."""


class Statistician(Generative):
    """An encoder that all parts share, the statistic of a set, two distributions of latent vectors, and a decoder."""

    def __init__(self, sizes: StatisticianSizes) -> None:
        super().__init__()
        self.sizes, self.size, self.noise = sizes, sizes.size, sizes.latent
        ladder = _ladder(sizes.size)
        self.shared = _encoder(sizes.width)
        wide = 8 * sizes.width * ladder[-1] ** 2
        self.projection = _dense(wide, sizes.hidden)
        self.statistic = nn.Sequential(
            _dense(sizes.hidden, sizes.hidden),
            _dense(sizes.hidden, sizes.hidden),
            nn.Linear(sizes.hidden, 2 * sizes.context),
        )
        self.statistic_norm = _one_channel()
        self.posterior = LatentVectors(sizes, sees_image=True)
        self.prior = LatentVectors(sizes, sees_image=False)
        self.decoder = Decoder(sizes, ladder)

    def describe(self, images: Images) -> Vectors:
        """What all parts know of each image."""
        return self.projection(self.shared(images).flatten(1))

    def summarise(self, described: Float[Tensor, "set drawing feature"]) -> Gaussian:
        """Mean and logarithm of the variance of the vector of each set."""
        both = self.statistic_norm(self.statistic(described.mean(1))[:, None])[:, 0]
        mean, log_variance = both.chunk(2, 1)
        return mean, log_variance

    def forward(self, sets: Sets) -> tuple[Images, Float[Tensor, " set"], Float[Tensor, " image"]]:
        """Every drawing again, as logits, and the divergences of the vectors of sets and of drawings."""
        count, drawings = sets.shape[:2]
        described = self.describe(sets.flatten(0, 1))
        mean, log_variance = self.summarise(described.view(count, drawings, -1))
        context = sample_gaussian(mean, log_variance).repeat_interleave(drawings, 0)
        posterior, prior = self.posterior(context, described), self.prior(context)
        logits = self.decoder(sample_gaussian(*posterior), context)
        return logits, gaussian_kl(mean, log_variance), gaussian_kl_between(*posterior, prior=prior)

    def draw(self, exemplars: Images, noise: Vectors) -> Images:
        """The mean vector of a set of one, and a latent vector of the drawings that belong to it."""
        context = self.summarise(self.describe(exemplars)[:, None])[0]
        mean, log_variance = self.prior(context)
        return self.decoder(mean + noise * (0.5 * log_variance).exp(), context).sigmoid()


class LatentVectors(nn.Module):
    """The distribution of a drawing's latent vector, given the vector of its set, and the drawing if it may be seen."""

    def __init__(self, sizes: StatisticianSizes, *, sees_image: bool) -> None:
        super().__init__()
        hidden = sizes.hidden
        self.image = nn.Linear(hidden, hidden) if sees_image else None
        self.context = nn.Linear(sizes.context, hidden)
        # Of a latent layer above, of which there is none; it is counted in the published number of parameters.
        self.above = nn.Linear(sizes.latent, hidden)
        self.residual = nn.ModuleList(
            nn.Sequential(nn.Linear(hidden, hidden), nn.BatchNorm1d(hidden)) for _ in range(3)
        )
        self.last = nn.Linear(hidden, 2 * sizes.latent)
        self.norm = _one_channel()

    def forward(self, context: Vectors, described: Vectors | None = None) -> Gaussian:
        """Mean and logarithm of the variance."""
        entering = self.context(context)
        if self.image is not None:
            entering = entering + self.image(described)
        entering = value = nn.functional.elu(entering)
        for number, layer in enumerate(self.residual):
            value = layer(value if number == 0 else nn.functional.elu(value))
        value = nn.functional.elu(value + entering)
        mean, log_variance = self.norm(self.last(value)[:, None])[:, 0].chunk(2, 1)
        return mean, log_variance


class Decoder(nn.Module):
    """From a latent vector and the vector of a set to an image, doubling its size four times."""

    def __init__(self, sizes: StatisticianSizes, ladder: list[int]) -> None:
        super().__init__()
        half, quarter, smallest, width = ladder[1], ladder[2], ladder[4], sizes.width
        self.latent = nn.Linear(sizes.latent, sizes.hidden)
        self.context = nn.Linear(sizes.context, sizes.hidden)
        self.start = (8 * width, smallest, smallest)
        self.spread = nn.Linear(sizes.hidden, 8 * width * smallest**2)
        # The four doublings do not always meet the sizes of the encoder: what is too much is trimmed.
        trims = 4 * smallest - quarter, 2 * quarter - half
        self.layers = nn.Sequential(
            _convolution(8 * width, 8 * width),
            _convolution(8 * width, 8 * width),
            _doubling(8 * width),
            _convolution(8 * width, 4 * width),
            _convolution(4 * width, 4 * width),
            _doubling(4 * width),
            _convolution(4 * width, 2 * width),
            _trimming(2 * width, trims[0]),
            _doubling(2 * width),
            _convolution(2 * width, width),
            _trimming(width, trims[1]),
            _doubling(width),
            nn.Conv2d(width, 1, 1),
        )

    def forward(self, latent: Vectors, context: Vectors) -> Images:
        """The image as logits."""
        both = nn.functional.elu(self.latent(latent) + self.context(context))
        return self.layers(self.spread(both).view(-1, *self.start))


def _ladder(size: int) -> list[int]:
    """The sizes of maps, each half of the one before, rounded up."""
    sizes = [size]
    for _ in range(LEVELS):
        sizes.append(-(-sizes[-1] // 2))
    return sizes


def _encoder(width: int) -> nn.Sequential:
    """Three convolutions a level, the last of which halves the size."""
    layers, entering = [], 1
    for level in range(LEVELS):
        leaving = width * 2**level
        layers += [_convolution(entering, leaving), _convolution(leaving, leaving)]
        layers.append(_convolution(leaving, leaving, stride=2))
        entering = leaving
    return nn.Sequential(*layers)


def _convolution(entering: int, leaving: int, *, kernel: int = 3, stride: int = 1, padding: int = 1) -> nn.Sequential:
    convolution = nn.Conv2d(entering, leaving, kernel, stride, padding)
    return nn.Sequential(convolution, nn.BatchNorm2d(leaving), nn.ELU())


def _trimming(channels: int, pixels: int) -> nn.Sequential:
    """A convolution that makes the map smaller by so many pixels; none: one that keeps it."""
    if not pixels:
        return _convolution(channels, channels)
    return _convolution(channels, channels, kernel=pixels + 1, padding=0)


def _doubling(channels: int) -> nn.Sequential:
    return nn.Sequential(nn.ConvTranspose2d(channels, channels, 2, 2), nn.BatchNorm2d(channels), nn.ELU())


def _dense(entering: int, leaving: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(entering, leaving), nn.BatchNorm1d(leaving), nn.ELU())


def _one_channel() -> nn.BatchNorm1d:
    """Batch norm over all numbers of all rows together, with the published constants."""
    return nn.BatchNorm1d(1, eps=1e-3, momentum=0.01)


def binarise_at_random(images: Tensor) -> Tensor:
    """Each pixel is ink with its own value as the chance."""
    return torch.bernoulli(images.clamp(0, 1))
