"""The verb `generate`: variations of anybody's own drawings, by a trained generator, a yardstick or a function."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import UInt8
from PIL import Image

from fairshot.runtime.errors import FairshotError, shown, unknown
from fairshot.scoring.sample_sets import as_generator
from fairshot.sources.images.pictures import open_images
from fairshot.tables.table import Cell, Column, Table
from fairshot.tables.tabular import Tabular
from fairshot.tables.words import count_of

SIDE = 105  # pixels in width and height of what is drawn, as Omniglot has them
SHEET = "sheet.png"
FRAME, GAP = 3, 4  # pixels around an exemplar, and between drawings
RED, PAPER = (220, 30, 30), 160  # of the frame, and of what is between drawings


@dataclass(frozen=True, eq=False, repr=False)
class Variations(Tabular):
    """Drawings made after exemplars."""

    generator: str
    names: tuple[str, ...]
    """What each exemplar is called."""
    exemplars: UInt8[np.ndarray, "exemplar side side"]
    images: UInt8[np.ndarray, "exemplar count side side"]

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[UInt8[np.ndarray, "count side side"]]:
        return iter(self.images)

    def __getitem__(self, exemplar: Any) -> UInt8[np.ndarray, "count side side"]:
        """The drawings after one exemplar, by its number or its name."""
        if isinstance(exemplar, str):
            if exemplar not in self.names:
                raise unknown("exemplar", exemplar, self.names)
            return self.images[self.names.index(exemplar)]
        if not isinstance(exemplar, int) or not -len(self) <= exemplar < len(self):
            raise FairshotError(
                f"there is no exemplar {shown(exemplar)}: give a number from 0 to {len(self) - 1}, or one of the names "
                f"{', '.join(self.names)}"
            )
        return self.images[exemplar]

    def __repr__(self) -> str:
        return f"<Variations: {self.summary().removesuffix('.')}>"

    def summary(self) -> str:
        """How many drawings there are."""
        count, each = len(self.images), self.images.shape[1]
        of = "one exemplar" if count == 1 else f"each of {count:,} exemplars"
        return f"{count_of(count * each, 'drawing')} by {self.generator}: {each} after {of}."

    def tables(self) -> list[Table]:
        """A row for each exemplar."""
        rows: list[list[Cell]] = [[name, self.images.shape[1]] for name in self.names]
        return [Table(title="Drawings", columns=[Column(name="exemplar"), Column(name="drawings")], rows=rows)]

    def sheet(self) -> Image.Image:
        """A row for each exemplar, which stands in front of its drawings, framed in red."""
        side, high = SIDE + GAP, SIDE + 2 * FRAME + GAP
        cells = np.full((len(self.images), high, high + self.images.shape[1] * side, 3), PAPER, dtype=np.uint8)
        for row, exemplar, drawings in zip(cells, self.exemplars, self.images, strict=True):
            row[: high - GAP, : high - GAP] = RED
            row[FRAME:, FRAME:][:SIDE, :SIDE] = exemplar[:, :, None]
            for number, drawing in enumerate(drawings):
                row[FRAME:, high + number * side :][:SIDE, :SIDE] = drawing[:, :, None]
        return Image.fromarray(cells.reshape(-1, *cells.shape[2:]))

    def save(self, folder: Path | str) -> None:
        """A folder of drawings for each exemplar, and a contact sheet of all."""
        folder = Path(folder)
        for name, drawings in zip(self.names, self.images, strict=True):
            (folder / name).mkdir(parents=True, exist_ok=True)
            for number, drawing in enumerate(drawings):
                Image.fromarray(drawing).save(folder / name / f"{number + 1:03d}.png")
        self.sheet().save(folder / SHEET)


def generate(generator: Any, exemplars: Any, *, count: int = 20, seed: int = 0) -> Variations:
    """Variations of drawings: so many after each exemplar.

    `generator` is what training gave, its folder, a name (`latent_diffusion` and others that come trained, yardsticks
    such as `warped`), or a function `generate(exemplars, count, seed)`; `exemplars` are files, folders, .npz files or
    an array, dark on light or light on dark.
    """
    if count < 1:
        raise FairshotError(f"cannot draw {count} images after each exemplar: say count=20, or 1 at least")
    name = str(generator) if isinstance(generator, str | Path) else type(generator).__name__
    found = as_generator(str(generator) if isinstance(generator, Path) else generator, name)
    if found is None:
        raise FairshotError(
            f"{name} is no generator: give one that comes trained, such as latent_diffusion, a folder that 'fairshot "
            "train' made of one, a yardstick such as warped, or path.py:generate"
        )
    pictures = open_images(exemplars)
    pictures.refuse([number for number, shape in enumerate(pictures.shapes) if shape is None])
    shown = np.stack([_square(pictures.one(number, 1)[0]) for number in range(len(pictures.names))])
    drawn = np.asarray(found.generate(shown[:, None].astype(np.float32) / 255, count, seed))
    if drawn.ndim != 5 or drawn.shape[:2] != (len(shown), count):
        raise FairshotError(
            f"{name} drew an array of shape {drawn.shape}: for {len(shown)} exemplars it should be (exemplar, {count}, "
            "channel, height, width)"
        )
    images = np.rint(255 * drawn.mean(axis=2).clip(0, 1)).astype(np.uint8)
    return Variations(name, _folder_names(pictures.names), shown, images)


def _square(picture: UInt8[np.ndarray, "height width"]) -> UInt8[np.ndarray, "side side"]:
    """In the middle of a square of its own paper, of the usual size."""
    height, width = picture.shape
    longest = max(height, width)
    square = np.full((longest, longest), np.median(picture), dtype=np.uint8)
    top, left = (longest - height) // 2, (longest - width) // 2
    square[top : top + height, left : left + width] = picture
    return np.asarray(Image.fromarray(square).resize((SIDE, SIDE), Image.Resampling.BILINEAR))


def _folder_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Names that folders can have, each another one."""
    plain = ["".join(c if c.isalnum() or c in "-_" else "-" for c in Path(name).stem) or "drawing" for name in names]
    counts = {name: plain.count(name) for name in plain}
    return tuple(f"{name}-{number + 1}" if counts[name] > 1 else name for number, name in enumerate(plain))
