"""A network that bends an exemplar into other drawings: a smooth field of shifts, one affine map, and a pen.

A latent vector and what is seen of the exemplar give shifts at a coarse grid of points, from which those of all pixels
are interpolated, an affine map of the whole, and how thick lines are. With all of these at nothing, the exemplar is
drawn.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn.functional import adaptive_avg_pool2d, affine_grid, grid_sample, interpolate, pad

from fairshot.generators.networks.generative import Generative, Images, Vectors, sample_gaussian

REACH = 0.5  # how far a point can be shifted, in halves of the width
STRETCH = 0.5  # how far each number of the affine map can be from that of the identity
CUT, CONTRAST = 0.7, 8.0  # what is nearer to ink than the first is ink; how sharply lines end; both are learned
THICK = 0.2  # how far the cut can be moved by the latent vector
NEAR = 2  # pixels from a line at which it is still felt
IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0)
POSE = len(IDENTITY)

Shifts = Float[Tensor, "image 2 points points"]
Places = Float[Tensor, "image size size 2"]


class Edit(NamedTuple):
    """What is done to exemplars."""

    shifts: Shifts
    """Across and down at each point of the grid, in halves of the width."""
    pose: Float[Tensor, "image 2 3"]
    """Where in the exemplar a place of the drawing is, before it is shifted."""
    cut: Float[Tensor, " image"]
    """How near to a line of the exemplar a place must be to be ink."""


@dataclass(frozen=True, kw_only=True)
class WarpSizes:
    """All numbers that the network's layers depend on."""

    size: int = 28
    latent: int = 24
    channels: int = 16
    points: int = 7


class WarpVae(Generative):
    """Learned as a conditional autoencoder: the latent vector of two drawings says how one becomes the other."""

    def __init__(self, sizes: WarpSizes) -> None:
        super().__init__()
        self.sizes, self.size, self.noise = sizes, sizes.size, sizes.latent
        channels, latent, points = sizes.channels, sizes.latent, sizes.points
        self.posterior = nn.Sequential(
            _halve(2, channels),
            _halve(channels, 2 * channels),
            _halve(2 * channels, 4 * channels),
            nn.Flatten(),
            nn.Linear(4 * channels * (-(-sizes.size // 8)) ** 2, 128),
            nn.ReLU(),
            nn.Linear(128, 2 * latent),
        )
        self.reader = nn.Sequential(_halve(1, channels), _halve(channels, 2 * channels))
        self.spread = nn.Linear(latent, 2 * channels * points**2)
        self.field = nn.Sequential(
            nn.Conv2d(4 * channels, 4 * channels, 3, padding=1),
            nn.ReLU(),
            nn.Conv2d(4 * channels, 2, 3, padding=1),
        )
        self.whole = nn.Sequential(nn.Linear(2 * channels + latent, 64), nn.ReLU(), nn.Linear(64, POSE + 1))
        self.pen = nn.Parameter(torch.tensor([CUT, CONTRAST]))
        for last in (self.field[-1], self.whole[-1]):
            assert isinstance(last, nn.Conv2d | nn.Linear)
            assert last.bias is not None
            nn.init.normal_(last.weight, std=1e-3)
            nn.init.zeros_(last.bias)

    def encode(self, drawings: Images, exemplars: Images) -> tuple[Vectors, Vectors]:
        """Mean and logarithm of the variance of the latent vector that makes drawings of exemplars."""
        mean, log_variance = self.posterior(torch.cat([drawings, exemplars], 1)).chunk(2, 1)
        return mean, log_variance

    def edit(self, exemplars: Images, latents: Vectors) -> Edit:
        """What the latent vectors do to exemplars."""
        points, count = self.sizes.points, len(exemplars)
        seen = adaptive_avg_pool2d(self.reader(exemplars), points)
        spread = self.spread(latents).view(count, -1, points, points)
        shifts = REACH * self.field(torch.cat([seen, spread], 1)).tanh()
        whole = self.whole(torch.cat([seen.mean((2, 3)), latents], 1)).tanh()
        pose = torch.tensor(IDENTITY).view(2, 3) + STRETCH * whole[:, :POSE].view(-1, 2, 3)
        return Edit(shifts, pose, self.pen[0] + THICK * whole[:, POSE])

    def forward(self, drawings: Images, exemplars: Images) -> tuple[Images, Edit, tuple[Vectors, Vectors]]:
        """Drawings again, as logits, what was done to the exemplars for them, and where the latent vectors lie."""
        mean, log_variance = self.encode(drawings, exemplars)
        edit = self.edit(exemplars, sample_gaussian(mean, log_variance))
        return self.render(exemplars, edit), edit, (mean, log_variance)

    def draw(self, exemplars: Images, noise: Vectors) -> Images:
        """Latent vectors from the standard normal distribution."""
        return self.render(exemplars, self.edit(exemplars, noise)).sigmoid()

    def render(self, exemplars: Images, edit: Edit) -> Images:
        """How near lines of the exemplar are, seen through the edit, as logits of ink."""
        places = find_places(edit, self.size)
        seen = grid_sample(nearness(exemplars), places, mode="bilinear", padding_mode="zeros", align_corners=False)
        return self.pen[1] * (seen - edit.cut[:, None, None, None])


def find_places(edit: Edit, size: int) -> Places:
    """Where in the exemplar each pixel of the drawing is found, from -1 to 1: across, then down."""
    straight = affine_grid(edit.pose, [len(edit.pose), 1, size, size], align_corners=False)
    bent = interpolate(edit.shifts, size=(size, size), mode="bicubic", align_corners=True)
    return straight + bent.permute(0, 2, 3, 1)


def nearness(images: Images) -> Images:
    """1 on lines, thick or thin, and less by a Gaussian of one pixel around them; outside is paper.

    A blurred line would be the fainter the thinner it is, and a pen that draws it would lose it.
    """
    for axis in (2, 3):
        size = images.shape[axis]
        wide = pad(images, (NEAR, NEAR, 0, 0) if axis == 3 else (0, 0, NEAR, NEAR))
        shifted = [
            math.exp(-0.5 * (start - NEAR) ** 2) * wide.narrow(axis, start, size) for start in range(2 * NEAR + 1)
        ]
        images = torch.stack(shifted).amax(0)
    return images


def bending(shifts: Shifts) -> Float[Tensor, " image"]:
    """How much neighbouring points are shifted differently: squared second differences, summed."""
    down = shifts[:, :, 2:] - 2 * shifts[:, :, 1:-1] + shifts[:, :, :-2]
    across = shifts[:, :, :, 2:] - 2 * shifts[:, :, :, 1:-1] + shifts[:, :, :, :-2]
    return down.square().sum((1, 2, 3)) + across.square().sum((1, 2, 3))


def _halve(entering: int, leaving: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(entering, leaving, 3, stride=2, padding=1, bias=False), nn.BatchNorm2d(leaving), nn.ReLU()
    )
