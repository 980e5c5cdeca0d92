"""A Recipe: how stored images become what a network sees, by name and as part of every fingerprint.

Published systems prepare the same Omniglot drawings in five incompatible ways; a loader with one default for all of
them compares nothing. Sizes, filters, inversion and value ranges stand here side by side.
"""

from dataclasses import asdict, dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float, UInt8
from PIL import Image

from fairshot.runtime.errors import FairshotError, unknown
from fairshot.runtime.grammar.data import parse_pixels

Images = UInt8[np.ndarray, "image channel height width"]
Prepared = UInt8[np.ndarray, "image channel new_height new_width"]
MOST_PIXELS = 4096  # to a side: no network of the field is shown a quarter of that
Filter = Literal["bilinear", "nearest", "corners"]
COLOUR = "-colour"  # behind a number of pixels: three channels, whatever the images have


@dataclass(frozen=True)
class Recipe:
    """Rotate, resize, invert, binarise; then (x / 255 - mean) / deviation when a network reads it."""

    name: str
    size: int | None = None
    filter: Filter = "bilinear"
    invert: bool = False
    binarise: bool = False
    channels: int | None = None
    rotations: tuple[int, ...] = (0,)
    mean: float = 0.0
    deviation: float = 1.0
    about: str = ""

    @property
    def key(self) -> dict[str, object]:
        """What the stored pixels depend on; the value range is applied on reading and changes no pixel."""
        return {key: value for key, value in asdict(self).items() if key not in ("name", "about", "mean", "deviation")}

    def apply(self, images: Images, rotation: int = 0) -> Prepared:
        """The images as they are stored under this recipe."""
        images = np.rot90(images, rotation // 90, axes=(2, 3))
        if self.size is not None and images.shape[2:] != (self.size, self.size):
            images = FILTERS[self.filter](np.ascontiguousarray(images), self.size)
        if self.binarise:
            return _binarised_ink(images)
        return 255 - images if self.invert else images

    def leaves_alone(self, shape: tuple[int, ...]) -> bool:
        """Whether images of this height and width are stored as they are."""
        resized = self.size is not None and shape != (self.size, self.size)
        return not resized and not self.invert and not self.binarise and self.rotations == (0,)

    def scale(self, images: Images) -> Float[np.ndarray, "image channels height width"]:
        """The images as a network reads them."""
        scaled = (images.astype(np.float32) / np.float32(255) - np.float32(self.mean)) / np.float32(self.deviation)
        if self.channels == 3 and images.shape[1] == 1:
            scaled = np.broadcast_to(scaled, (len(scaled), 3, *scaled.shape[2:]))
        return scaled


def _resize_pillow(images: Images, size: int, resample: Image.Resampling) -> Prepared:
    resized = np.empty((*images.shape[:2], size, size), dtype=np.uint8)
    for target, image in zip(resized.reshape(-1, size, size), images.reshape(-1, *images.shape[2:]), strict=True):
        target[:] = Image.fromarray(image).resize((size, size), resample)
    return resized


def _resize_corners(images: Images, size: int) -> Prepared:
    """Bilinear between aligned corner pixels and without antialiasing, as TensorFlow 1 did; rounded to 8 bits."""
    down, across = (_corner_weights(length, size) for length in images.shape[2:])
    return np.rint(down @ images.astype(np.float32) @ across.T).astype(np.uint8)


def _corner_weights(length: int, size: int) -> Float[np.ndarray, "{size} {length}"]:
    place = np.linspace(0, length - 1, size)
    return np.maximum(0, 1 - np.abs(place[:, None] - np.arange(length))).astype(np.float32)


def _binarised_ink(images: Images) -> Images:
    """Ink = 255: each image stretched to its full range, inverted and cut at one half; a blank image has no ink."""
    grey = images.astype(np.float64)
    low, high = grey.min(axis=(1, 2, 3), keepdims=True), grey.max(axis=(1, 2, 3), keepdims=True)
    # Once stretched, the darkest pixel is 0 and its inverse 1: the published renormalisation after inverting is done.
    ink = (high - grey) > 0.5 * (high - low)
    return np.where(ink & (high > low), 255, 0).astype(np.uint8)


FILTERS = {
    "bilinear": lambda images, size: _resize_pillow(images, size, Image.Resampling.BILINEAR),
    "nearest": lambda images, size: _resize_pillow(images, size, Image.Resampling.NEAREST),
    "corners": _resize_corners,
}

RAW = Recipe("raw", about="as stored, 0 to 1")
RECIPES = {
    recipe.name: recipe
    for recipe in (
        RAW,
        Recipe("omniglot-eval", 24, mean=0.5, about="omniglot-eval's small network: paper +0.5, ink -0.5"),
        Recipe("omniglot-eval-koch", 105, mean=0.5, about="omniglot-eval's Koch network"),
        Recipe("diversity", 50, invert=True, binarise=True, about="diversity against recognizability: ink 1, paper 0"),
        Recipe("diversity-28", 28, invert=True, binarise=True, about="the same at 28 pixels, for a third of the time"),
        Recipe("diversity-grey", 50, invert=True, about="as diversity, for DA-GAN: not binarised"),
        Recipe("diversity-grey-28", 28, invert=True, about="the same at 28 pixels"),
        Recipe(
            "meta-dataset",
            84,
            "corners",
            invert=True,
            channels=3,
            mean=0.5,
            deviation=0.5,
            about="Meta-Dataset: three channels in [-1, 1], rounded to 8 bits before scaling",
        ),
        Recipe(
            "centroid",
            28,
            "nearest",
            invert=True,
            rotations=(0, 90, 180, 270),
            about="Prototypical and Centroid Networks: ink 1, each rotation a class of its own",
        ),
        Recipe("centroid-upright", 28, "nearest", invert=True, about="the same without rotations"),
        Recipe(
            "centroid-ccn",
            32,
            invert=True,
            mean=0.086,
            deviation=0.235,
            about="Centroid Networks on whole alphabets",
        ),
    )
}


def find_recipe(name: str | int) -> Recipe:
    """The recipe of that name; a number means: bilinear resize to that many pixels, values 0 to 1.

    `32-colour` gives drawings three channels too, so that they can stand beside photographs.
    """
    name = str(name)
    number, colour, rest = name.partition(COLOUR)
    pixels = parse_pixels(number)
    if pixels is not None and pixels > MOST_PIXELS:
        raise FairshotError(
            f"the recipe {name} asks for images of {number} x {number} pixels: give at most {MOST_PIXELS}"
        )
    if pixels is not None and not rest:
        about = f"resized to {number} x {number}{', three channels' if colour else ''}, 0 to 1"
        return Recipe(name, pixels, channels=3 if colour else None, about=about)
    if name not in RECIPES:
        if name.removeprefix("-").isdecimal():
            limit = "at least 1" if name.startswith("-") or not name.strip("0") else f"at most {MOST_PIXELS}"
            raise FairshotError(f"the recipe {name} asks for images of {name} pixels: give {limit}")
        raise unknown("recipe", name, RECIPES)
    return RECIPES[name]
