"""The two networks of DA-GAN: one draws after an exemplar and noise, one tells pairs of drawings from drawn pairs.

After Antoniou et al. 2017, with the layers of Boutin et al. 2022, Table S7, as they must be read for the number of
parameters that is printed there.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor, nn

from fairshot.generators.networks.dense_blocks import SLOPE, DecoderBlock, EncoderBlock, Layer, SameConv
from fairshot.generators.networks.generative import Generative, Images, Vectors

NOISE_CHANNELS = (8, 4, 2)  # of the maps of noise at the three deepest levels
LATENT_WIDE = 1024  # numbers that the critic makes of the mean of its last map
PREFIX = "drawer."  # of the weights that are needed to draw


@dataclass(frozen=True, kw_only=True)
class DaganSizes:
    """All numbers that the networks' layers depend on."""

    size: int = 50
    latent: int = 128
    width: int = 64
    """Channels of the first two levels; the other two have twice as many."""
    layers: int = 2
    """Inner layers of each block of the network that draws."""
    critic_layers: int = 5
    """Inner layers of each block of the critic."""
    dropout: float = 0.5
    """Share of numbers left out in training at the end of each block."""
    skips: bool = True
    """Whether each level of the decoder sees the encoder's map of the same size, as in a U-Net."""


class Encoder(nn.Module):
    """Four levels, each with a map half as large as the one before."""

    def __init__(self, sizes: DaganSizes, channels: int, *, critic: bool) -> None:
        super().__init__()
        width = sizes.width
        layers = sizes.critic_layers if critic else sizes.layers
        self.first = Layer(channels, width, stride=2, norm="image" if critic else "batch")
        shapes = [(channels, width, width), (width, width, 2 * width), (2 * width, 2 * width, 2 * width)]
        self.blocks = nn.ModuleList(
            EncoderBlock(*shape, layers=layers, norm="image" if critic else "batch", dropout=sizes.dropout)
            for shape in shapes
        )

    def forward(self, images: Tensor) -> list[Tensor]:
        """The images and the map of every level."""
        above, maps = images, [images, self.first(images)]
        for block in self.blocks:
            above, smaller = block(above, maps[-1])
            maps.append(smaller)
        return maps


class Drawer(nn.Module):
    """An encoder of the exemplar and a decoder with noise at its three deepest levels."""

    def __init__(self, sizes: DaganSizes) -> None:
        super().__init__()
        self.sizes = sizes
        width = sizes.width
        self.map_sizes = [sizes.size]
        for _ in range(4):
            self.map_sizes.append(-(-self.map_sizes[-1] // 2))
        self.encoder = Encoder(sizes, 1, critic=False)
        deepest = self.map_sizes[:1:-1]
        self.noise = nn.ModuleList(
            nn.Linear(sizes.latent, channels * side**2) for channels, side in zip(NOISE_CHANNELS, deepest, strict=True)
        )
        skips = [0, 2 * width, width, width, 1] if sizes.skips else [0] * 5
        noises = [*NOISE_CHANNELS, 0, 0]
        leaving = [2 * width, 2 * width, width, width, width]
        below = [0, *leaving[:-1]]
        entering = [2 * width, *leaving[:-1]]
        self.blocks = nn.ModuleList(
            DecoderBlock(
                below[level],
                entering[level] + skips[level] + noises[level],
                leaving[level],
                layers=sizes.layers,
                grows=level < 4,
                dropout=sizes.dropout,
            )
            for level in range(5)
        )
        self.last = nn.Sequential(Layer(width, width), Layer(width, width), SameConv(width, 1))

    def forward(self, exemplars: Images, noise: Vectors) -> Images:
        """One drawing for each exemplar and row of noise, with values from 0 to 1."""
        maps = self.encoder(exemplars)[::-1]
        below, current = None, maps[0]
        sides = self.map_sizes[::-1]
        for level, block in enumerate(self.blocks):
            seen = [current]
            if level and self.sizes.skips:
                seen.append(maps[level])
            if level < len(NOISE_CHANNELS):
                seen.append(self.noise[level](noise).view(len(noise), -1, sides[level], sides[level]))
            below, current = block(below, torch.cat(seen, 1), sides[min(level + 1, 4)])
        return self.last(current).sigmoid()


class PairCritic(nn.Module):
    """One number for two drawings on top of one another: higher, the more they look like a pair that people drew."""

    def __init__(self, sizes: DaganSizes) -> None:
        super().__init__()
        self.encoder = Encoder(sizes, 2, critic=True)
        smallest = -(-sizes.size // 16)
        self.wide = nn.Linear(2 * sizes.width, LATENT_WIDE)
        self.last = nn.Linear(LATENT_WIDE + 2 * sizes.width * smallest**2, 1)

    def forward(self, first: Images, second: Images) -> Float[Tensor, " image"]:
        """The score of each pair."""
        final = self.encoder(torch.cat([first, second], 1))[-1]
        mean = nn.functional.leaky_relu(self.wide(final.mean((2, 3))), SLOPE)
        return self.last(torch.cat([mean, final.flatten(1)], 1))[:, 0]


class Dagan(Generative):
    """Both networks; the critic is needed for training alone."""

    def __init__(self, sizes: DaganSizes) -> None:
        super().__init__()
        self.sizes, self.size, self.noise = sizes, sizes.size, sizes.latent
        self.drawer = Drawer(sizes)
        self.critic = PairCritic(sizes)

    def draw(self, exemplars: Images, noise: Vectors) -> Images:
        """By the network that draws."""
        return self.drawer(exemplars, noise)

    def drawing_weights(self) -> dict[str, Tensor]:
        """Without the critic."""
        return {name: value for name, value in self.storable().items() if name.startswith(PREFIX)}
