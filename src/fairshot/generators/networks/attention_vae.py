"""A recurrent autoencoder that reads and writes patches wherever it looks (Boutin et al. 2022; Rezende et al. 2016).

At each glimpse it compares the drawing with its canvas, turns what it sees into a latent vector, and writes a patch
that it decodes from its memory as it was before that vector came in. So the last vector never reaches the image.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.autograd.function import FunctionCtx
from torch.nn.functional import affine_grid, grid_sample

from fairshot.generators.networks.generative import (
    Generative,
    Images,
    Vectors,
    gaussian_kl,
    perceptron,
    sample_gaussian,
)

Layers = Literal["released", "table-s5", "narrow"]
Pose = Float[Tensor, "image 2 3"]
LOOK = 100  # units of the memory from which the next place is found
UPRIGHT = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0)  # the affine map that changes nothing, row by row
LAST_ROW = torch.tensor([[[0.0, 0.0, 1.0]]])
FLATTEST = 1e-6  # a smaller determinant is taken for this one: the map could not be inverted


@dataclass(frozen=True, kw_only=True)
class AttentionSizes:
    """All numbers that the network's layers depend on."""

    size: int = 50
    patch: int = 15
    latent: int = 80
    memory: int = 400
    glimpses: int = 60
    layers: Layers = "released"


class AttentionVae(Generative):
    """Draws in so many glimpses; what it looks at is moved, turned, stretched and slanted."""

    def __init__(self, sizes: AttentionSizes) -> None:
        super().__init__()
        self.sizes, self.size = sizes, sizes.size
        self.noise = sizes.glimpses * sizes.latent
        area, latent, memory = sizes.patch**2, sizes.latent, sizes.memory
        look, rest = min(LOOK, memory // 2), memory - min(LOOK, memory // 2)
        self.look = look
        seen = 3 * area + memory
        if sizes.layers == "released":
            self.mean: nn.Module = perceptron(seen, 512, 128, latent)
            self.log_variance: nn.Module = perceptron(seen, 512, 128, latent)
            self.decoder = perceptron(rest, 200, area)
        elif sizes.layers == "narrow":
            self.both = perceptron(seen, 256, 2 * latent)
            self.decoder = perceptron(rest, 128, area)
        else:
            self.both = perceptron(seen, 1024, 1024, 512, 128, 2 * latent)
            self.decoder = perceptron(rest, 1024, 512, 256, area)
        self.recurrence = nn.LSTMCell(latent + area, memory)
        self.place = perceptron(look, 64, 32, 6)
        last = self.place[-1]
        assert isinstance(last, nn.Linear)
        nn.init.zeros_(last.weight)
        with torch.no_grad():
            # The published order is a, b, c, d and the shift; here rows of the map follow one another.
            last.bias.copy_(torch.tensor(UPRIGHT))

    def encode(self, seen: Vectors) -> tuple[Vectors, Vectors]:
        """Mean and logarithm of the variance of the latent vector."""
        if self.sizes.layers == "released":
            return self.mean(seen), self.log_variance(seen)
        mean, log_variance = self.both(seen).chunk(2, 1)
        return mean, log_variance

    def forward(self, images: Images, exemplars: Images) -> tuple[Images, Float[Tensor, " image"]]:
        """The canvas after all glimpses at drawings, as logits, and the divergence summed over glimpses."""
        canvas, memory, cell = self._begin(len(images))
        given = torch.cat([images, exemplars], 1)  # apart from the canvas: they need no gradient
        means, log_variances = list[Tensor](), list[Tensor]()
        for _ in range(self.sizes.glimpses):
            pose = self._pose(memory)
            patches = self._read(given, pose)
            missing = self._read(images - canvas.sigmoid(), pose)
            mean, log_variance = self.encode(torch.cat([memory, missing, patches], 1))
            means.append(mean)
            log_variances.append(log_variance)
            area = self.sizes.patch**2
            canvas = canvas + self._write(memory, pose)
            entering = torch.cat([sample_gaussian(mean, log_variance), patches[:, area:]], 1)
            memory, cell = self.recurrence(entering, (memory, cell))
        return canvas, gaussian_kl(torch.cat(means, 1), torch.cat(log_variances, 1))

    def draw(self, exemplars: Images, noise: Vectors) -> Images:
        """Latent vectors from the standard normal distribution."""
        canvas, memory, cell = self._begin(len(exemplars))
        for latent in torch.split(noise, self.sizes.latent, 1):
            pose = self._pose(memory)
            patch = self._read(exemplars, pose)
            canvas = canvas + self._write(memory, pose)
            memory, cell = self.recurrence(torch.cat([latent, patch], 1), (memory, cell))
        return canvas.sigmoid()

    def _begin(self, count: int) -> tuple[Images, Vectors, Vectors]:
        canvas = torch.zeros(count, 1, self.size, self.size)
        return canvas, torch.zeros(count, self.sizes.memory), torch.zeros(count, self.sizes.memory)

    def _pose(self, memory: Vectors) -> Pose:
        return self.place(memory[:, : self.look]).view(-1, 2, 3)

    def _read(self, images: Float[Tensor, "image channel size size"], pose: Pose) -> Vectors:
        return grid_sample(images, see(pose, self.sizes.patch), align_corners=False).flatten(1)

    def _write(self, memory: Vectors, pose: Pose) -> Images:
        patch = self.decoder(memory[:, self.look :]).view(-1, 1, self.sizes.patch, self.sizes.patch)
        return grid_sample(patch, see(invert(pose), self.size), align_corners=False)


@cache
def _grid(size: int) -> Float[Tensor, "3 place"]:
    """Across, down and one at each pixel of a square; made once, as it is needed at every glimpse."""
    with torch.inference_mode(False):  # whoever asks first, training has to be able to use it
        upright = torch.tensor(UPRIGHT).view(1, 2, 3)
        places = affine_grid(upright, [1, 1, size, size], align_corners=False).view(-1, 2)
        return torch.cat([places, torch.ones(size**2, 1)], 1).T.contiguous()


def see(pose: Pose, size: int) -> Float[Tensor, "image size size 2"]:
    """Where a map leads from each pixel of a square, as torch's affine_grid, which makes its grid anew each time."""
    return (pose @ _grid(size)).view(-1, 2, size, size).permute(0, 2, 3, 1)


class _Inverse(torch.autograd.Function):
    """The affine map that undoes another one, and its gradient in two products."""

    @staticmethod
    def forward(ctx: FunctionCtx, pose: Pose) -> Pose:
        inverse = _invert(pose)
        ctx.save_for_backward(inverse)
        return inverse

    @staticmethod
    def backward(ctx: Any, slopes: Pose) -> Pose:
        """The derivative of an inverse is minus the inverse on both sides of it; the last row never changes."""
        (inverse,) = ctx.saved_tensors
        matrix = inverse[:, :, :2]
        shifts = torch.cat([inverse, LAST_ROW.to(inverse).expand(len(inverse), 1, 3)], 1)
        return -(matrix.mT @ slopes @ shifts.mT)


def invert(pose: Pose) -> Pose:
    """The affine map that undoes another one."""
    inverse: Pose = _Inverse.apply(pose)  # type: ignore[no-untyped-call]
    return inverse


def _invert(pose: Pose) -> Pose:
    (a, b), (c, d) = pose[:, 0, :2].unbind(1), pose[:, 1, :2].unbind(1)
    determinant = a * d - b * c
    determinant = torch.where(determinant.abs() < FLATTEST, FLATTEST, determinant)
    inverse = torch.stack([d, -b, -c, a], 1).view(-1, 2, 2) / determinant[:, None, None]
    return torch.cat([inverse, -inverse @ pose[:, :, 2:]], 2)
