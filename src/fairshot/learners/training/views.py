"""Two views of a drawing, as the critics of Boutin et al. 2022 learn from: cropped, moved or tilted, then ink again.

Each view is one transform out of three. The usual ranges are those of the published code (`released`); the paper prints
others (`text`), of which the light crop is wider than the normal one. Transforms are those of torchvision, for a whole
batch at once, but that all of them are bilinear, where an affine one of the published code takes the nearest pixel.
"""

import math
from dataclasses import dataclass
from typing import Literal

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import grid_sample

Images = Float[Tensor, "image colour height width"]
Where = Float[Tensor, "image 3 3"]
"""For each place of a view, from -1 to 1, the place in the image that is seen there, in homogeneous coordinates."""
Level = Literal["light", "normal", "strong"]
Variant = Literal["released", "text"]
ATTEMPTS = 10  # at a crop that fits into the image; then it is shown whole


@dataclass(frozen=True, kw_only=True)
class Ranges:
    """How far a view may go from the image."""

    area: tuple[float, float]
    """Of a crop, as a share of the image; above 1 none can be found."""
    aspect: tuple[float, float]
    turn: float
    """Degrees."""
    shift: float
    """Share of the width."""
    zoom: tuple[float, float]
    shear: float
    """Degrees."""
    tilt: float
    """How far towards the middle a corner may come."""


LEVELS = {
    "light": Ranges(area=(0.90, 1.10), aspect=(0.9, 1.1), turn=7.0, shift=0.05, zoom=(0.9, 1.1), shear=5.0, tilt=0.25),
    "normal": Ranges(
        area=(0.75, 1.33), aspect=(0.8, 1.2), turn=15.0, shift=0.1, zoom=(0.75, 1.33), shear=10.0, tilt=0.5
    ),
    "strong": Ranges(area=(0.5, 1.5), aspect=(0.6, 1.4), turn=30.0, shift=0.2, zoom=(0.5, 1.5), shear=20.0, tilt=0.75),
}
# Shifts of 3, 5 and 10 of 50 pixels.
PRINTED = {
    "light": Ranges(area=(0.05, 0.95), aspect=(0.9, 1.1), turn=7.0, shift=0.06, zoom=(0.9, 1.1), shear=5.0, tilt=0.25),
    "normal": Ranges(area=(0.1, 0.9), aspect=(0.8, 1.2), turn=15.0, shift=0.1, zoom=(0.75, 1.25), shear=10.0, tilt=0.5),
    "strong": Ranges(area=(0.2, 0.8), aspect=(0.6, 1.4), turn=30.0, shift=0.2, zoom=(0.5, 1.5), shear=20.0, tilt=0.75),
}
VARIANTS = {"released": LEVELS, "text": PRINTED}
TILTED = 0.5  # share of the views whose perspective is changed, where that is their transform


def view(images: Images, level: Level, generator: torch.Generator, variant: Variant = "released") -> Images:
    """One view of each image: ink 1 and paper 0, or the other way round, as it was."""
    ranges, count = VARIANTS[variant][level], len(images)
    kinds = torch.stack([make(ranges, count, generator) for make in (crops, affines, tilts)])
    chosen = torch.randint(len(kinds), (count,), generator=generator)
    return cut(show(images, kinds[chosen, torch.arange(count)]))


def show(images: Images, where: Where) -> Images:
    """What is seen at each place; beyond the edge paper goes on, the commonest tone of the image."""
    height, width = images.shape[2:]
    down, across = ((2 * torch.arange(n, dtype=images.dtype) + 1) / n - 1 for n in (height, width))
    places = torch.stack(
        [across.expand(height, width), down[:, None].expand(height, width), torch.ones(height, width)], -1
    )
    seen = torch.einsum("nij,hwj->nhwi", where.to(images.dtype), places.to(images.dtype))
    paper = images.flatten(2).median(2).values[:, :, None, None]
    return grid_sample(images - paper, seen[..., :2] / seen[..., 2:], align_corners=False) + paper


def cut(images: Images) -> Images:
    """Each image stretched from 0 to 1 and cut above one half; a blank one has nothing."""
    low, high = images.amin((1, 2, 3), keepdim=True), images.amax((1, 2, 3), keepdim=True)
    return ((images - low) > 0.5 * (high - low)).to(images.dtype)


def crops(ranges: Ranges, count: int, generator: torch.Generator) -> Where:
    """A rectangle of the image stretched to its size; the whole image where none was found that fits."""

    def uniform(low: float, high: float) -> Tensor:
        return low + (high - low) * torch.rand(ATTEMPTS, count, generator=generator)

    area, aspect = uniform(*ranges.area), uniform(*map(math.log, ranges.aspect)).exp()
    sides = torch.stack([(area * aspect).sqrt(), (area / aspect).sqrt()])
    fits = (sides <= 1).all(0)
    first = fits.int().argmax(0)
    first_side = sides[:, first, torch.arange(count)]
    side = torch.where(fits.any(0), first_side, torch.ones_like(first_side))
    middle = (1 - side) * (2 * torch.rand(2, count, generator=generator) - 1)
    where = torch.zeros(count, 3, 3)
    where[:, 0, 0], where[:, 1, 1], where[:, 2, 2] = side[0], side[1], 1
    where[:, 0, 2], where[:, 1, 2] = middle
    return where


def affines(ranges: Ranges, count: int, generator: torch.Generator) -> Where:
    """Turned, shifted, zoomed and slanted."""

    def spread(most: float) -> Tensor:
        return most * (2 * torch.rand(count, generator=generator) - 1)

    turn, slant = spread(math.radians(ranges.turn)), spread(math.radians(ranges.shear)).tan()
    low, high = ranges.zoom
    zoom = low + (high - low) * torch.rand(count, generator=generator)
    moved = torch.zeros(count, 3, 3)  # where a place of the image goes
    cosine, sine = zoom * turn.cos(), zoom * turn.sin()
    moved[:, 0, 0], moved[:, 0, 1] = cosine, cosine * slant - sine
    moved[:, 1, 0], moved[:, 1, 1] = sine, sine * slant + cosine
    moved[:, 0, 2], moved[:, 1, 2], moved[:, 2, 2] = spread(2 * ranges.shift), spread(2 * ranges.shift), 1
    return torch.linalg.inv(moved)


def tilts(ranges: Ranges, count: int, generator: torch.Generator) -> Where:
    """Half of the images with each corner moved towards the middle, as if seen from aside."""
    corners = torch.tensor([[-1.0, -1], [1, -1], [1, 1], [-1, 1]])
    inward = ranges.tilt * torch.rand(count, 4, 2, generator=generator)
    tilted = torch.rand(count, generator=generator) < TILTED
    inward *= tilted[:, None, None]
    return homography(corners * (1 - inward), corners.expand(count, 4, 2))


def homography(of: Float[Tensor, "image 4 2"], to: Float[Tensor, "image 4 2"]) -> Where:
    """The perspective that takes four places to four others."""
    x, y = of.double().unbind(2)
    one, none = torch.ones_like(x), torch.zeros_like(x)
    rows = []
    for axis, terms in ((0, (x, y, one, none, none, none)), (1, (none, none, none, x, y, one))):
        aim = to[:, :, axis].double()
        rows.append(torch.stack([*terms, -x * aim, -y * aim], 2))
    aims = torch.cat([to[:, :, 0], to[:, :, 1]], 1).double()
    eight = torch.linalg.solve(torch.cat(rows, 1), aims)
    return torch.cat([eight, torch.ones(len(eight), 1)], 1).view(-1, 3, 3).float()
