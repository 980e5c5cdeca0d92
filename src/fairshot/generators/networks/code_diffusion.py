"""Diffusion of codes: noise becomes the code of a drawing in some steps, led by the code of the exemplar.

A noisy code is `cos(a) code + sin(a) noise` for an angle `a` from 0 to a right angle. The denoiser predicts its
velocity `cos(a) noise - sin(a) code`, so a step of DDIM (Song et al., ICLR 2021) to a smaller angle is a rotation.
"""

import math
from dataclasses import dataclass
from itertools import pairwise

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from fairshot.generators.networks.autoencoder import Autoencoder
from fairshot.generators.networks.generative import Generative, Images, Vectors

WAVES = 16  # sines and cosines each by which the denoiser is told an angle
Angles = Float[Tensor, " image"]


@dataclass(frozen=True, kw_only=True)
class DiffusionSizes:
    """All numbers that the network's layers and its way of drawing depend on."""

    size: int = 28
    code: int = 64
    channels: int = 16
    width: int = 512
    blocks: int = 3
    guidance: float = 1.0
    steps: int = 30


class CodeDiffusion(Generative):
    """An autoencoder, and a denoiser of its codes."""

    def __init__(self, sizes: DiffusionSizes) -> None:
        super().__init__()
        self.sizes, self.size, self.noise = sizes, sizes.size, sizes.code
        self.autoencoder = Autoencoder(sizes.size, sizes.code, sizes.channels)
        self.denoiser = Denoiser(sizes.code, sizes.width, sizes.blocks)

    def draw(self, exemplars: Images, noise: Vectors) -> Images:
        """The same noise and exemplar give the same drawing: what is random is where denoising begins."""
        codes = self.denoise(noise, self.autoencoder.encode(exemplars))
        return self.autoencoder.decode(codes).sigmoid()

    def denoise(self, noise: Vectors, exemplar_codes: Vectors) -> Vectors:
        """Codes out of noise, in as many equal steps of the angle as the settings say."""
        codes = noise
        angles = torch.linspace(math.pi / 2, 0, self.sizes.steps + 1).tolist()
        for angle, following in pairwise(angles):
            velocity = self.guided_velocity(codes, torch.full((len(codes),), angle), exemplar_codes)
            codes = math.cos(angle - following) * codes - math.sin(angle - following) * velocity
        return codes

    def guided_velocity(self, codes: Vectors, angles: Angles, exemplar_codes: Vectors) -> Vectors:
        """Guidance away from what would be drawn without an exemplar (Ho and Salimans 2022); 1 is no guidance."""
        led = self.denoiser(codes, angles, exemplar_codes)
        if self.sizes.guidance == 1:
            return led
        alone = self.denoiser(codes, angles, exemplar_codes, torch.ones(len(codes), dtype=torch.bool))
        return alone + self.sizes.guidance * (led - alone)


class Denoiser(nn.Module):
    """Linear layers with residual connections."""

    def __init__(self, code: int, width: int, blocks: int) -> None:
        super().__init__()
        self.nobody = nn.Parameter(torch.zeros(code))
        self.entry = nn.Linear(2 * code + 2 * WAVES, width)
        self.blocks = nn.ModuleList(
            [
                nn.Sequential(nn.LayerNorm(width), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, width))
                for _ in range(blocks)
            ]
        )
        self.exit = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, code))

    def forward(
        self, codes: Vectors, angles: Angles, exemplar_codes: Vectors, alone: Bool[Tensor, " image"] | None = None
    ) -> Vectors:
        """The velocity of noisy codes; where `alone` is true, the exemplar is not shown."""
        if alone is not None:
            exemplar_codes = torch.where(alone[:, None], self.nobody, exemplar_codes)
        hidden: Tensor = self.entry(torch.cat([codes, exemplar_codes, waves(angles)], 1))
        for block in self.blocks:
            hidden = hidden + block(hidden)
        velocity: Tensor = self.exit(hidden)
        return velocity


def waves(angles: Angles) -> Vectors:
    """An angle as sines and cosines of its multiples."""
    multiples = angles[:, None] * torch.arange(1, WAVES + 1)
    return torch.cat([multiples.sin(), multiples.cos()], 1)
