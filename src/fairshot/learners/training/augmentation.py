"""Whole batches of images, moved a little or mirrored; what is shown depends on the generator alone."""

import math

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import affine_grid, grid_sample, pad

Images = Float[Tensor, "image colour height width"]
TURN, STRETCH, SHEAR, SHIFT = 10.0, 0.15, 0.15, 0.08  # degrees, logarithm of a scale, slope, share of half the width
UNTOUCHED = 0.5  # share of drawings shown as they are: sharp, as they will be when the network is used
MARGIN = 1 / 8  # of a photograph's width: how far it may be shifted


def augment(images: Images, kind: str, generator: torch.Generator) -> Images:
    """`drawing`: half are turned, stretched, slanted, shifted; `photo`: mirrored, shifted; `turns`: quarter turns."""
    return {"none": lambda i, g: i, "drawing": _drawing, "photo": _photo, "turns": turn}[kind](images, generator)


def _drawing(images: Images, generator: torch.Generator) -> Images:
    def spread(*size: int) -> Tensor:
        return 2 * torch.rand(len(images), *size, generator=generator) - 1

    angle = spread() * TURN * math.pi / 180
    turn = torch.stack([angle.cos(), -angle.sin(), angle.sin(), angle.cos()], 1).view(-1, 2, 2)
    slant = torch.eye(2).repeat(len(images), 1, 1)
    slant[:, 0, 1] = spread() * SHEAR
    matrix = turn @ slant * (spread(2) * STRETCH).exp()[:, None, :]
    where = torch.cat([matrix, (spread(2) * SHIFT)[:, :, None]], 2)
    moved = torch.rand(len(images), generator=generator) >= UNTOUCHED
    if not moved.any():
        return images
    grid = affine_grid(where[moved], [int(moved.sum()), *images.shape[1:]], align_corners=False)
    # Paper goes on beyond the edge.
    shown = grid_sample(images[moved], grid, padding_mode="border", align_corners=False)
    return images.index_put((moved.nonzero()[:, 0],), shown)


def turn(images: Images, generator: torch.Generator) -> Images:
    """Each image by any number of quarter turns, and mirrored or not; all of its channels alike."""
    turns = torch.randint(0, 4, (len(images),), generator=generator)
    flipped = torch.rand(len(images), generator=generator) < 0.5
    mirrored = torch.where(flipped[:, None, None, None], images.flip(3), images)
    every = torch.stack([mirrored.rot90(quarters, (2, 3)) for quarters in range(4)])
    return every[turns, torch.arange(len(images))]


def _photo(images: Images, generator: torch.Generator) -> Images:
    flipped = torch.rand(len(images), generator=generator) < 0.5
    images = torch.where(flipped[:, None, None, None], images.flip(3), images)
    margin = round(images.shape[-1] * MARGIN)
    wide = pad(images, (margin,) * 4)
    starts = torch.randint(0, 2 * margin + 1, (2, len(images)), generator=generator)
    rows = starts[0][:, None] + torch.arange(images.shape[2])
    columns = starts[1][:, None] + torch.arange(images.shape[3])
    place = torch.arange(len(images))[:, None, None, None]
    colour = torch.arange(images.shape[1])[None, :, None, None]
    return wide[place, colour, rows[:, None, :, None], columns[:, None, None, :]]
