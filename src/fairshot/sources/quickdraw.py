"""Quick Draw: 50,426,266 drawings of 345 categories, 28 x 28 grey (Ha and Eck 2017; Google's numpy bitmaps).

Read from one CATEGORY.npy a category in numpy_bitmap/. All of them need 40 GB, and 355 GB at 84 pixels:
`quickdraw:images=1000` reads the first 1000 of each. https://github.com/googlecreativelab/quickdraw-dataset
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from jaxtyping import UInt8
from PIL import Image

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.fingerprints import fingerprint
from fairshot.sources.image_file import write_images
from fairshot.sources.images.copies import Copies, Copy, load_copy
from fairshot.sources.images.example_sheet import spread_evenly
from fairshot.sources.images.shared_copies import shared_copies
from fairshot.sources.source import Source

PIXELS = 28
PREFIX = "full_numpy_bitmap_"  # what a browser puts before the name of a downloaded file
RELEASED = (345, 50_426_266)  # classes and images

Drawings = UInt8[np.ndarray, "drawing pixel"]


def load(*, copy: str = "", images: int = 0) -> Source:
    """The drawings as their owner publishes them, or another copy; `images` is the most of a category, 0 for all."""
    return load_copy("quickdraw", copies(images), copy, None, images)


@dataclass(frozen=True, eq=False)
class Bitmaps:
    """Drawings by category, in arrays that may be larger than memory."""

    drawings: Mapping[str, Drawings]

    def __len__(self) -> int:
        return sum(map(len, self.drawings.values()))

    @property
    def classes(self) -> tuple[str, ...]:
        """The names of the categories, in order."""
        return tuple(sorted(self.drawings))

    def convert(self, folder: Path, size: int | None) -> Source:
        """All drawings, one category after the other; they keep their size."""
        tables = [self.drawings[name] for name in self.classes]
        ends = np.cumsum([len(table) for table in tables])
        counts = [len(table) for table in tables]

        def read(start: int, stop: int) -> UInt8[np.ndarray, "image 1 28 28"]:
            begins = ends - counts
            found = [
                np.asarray(table[max(start - begin, 0) : max(stop - begin, 0)])
                for table, begin in zip(tables, begins.tolist(), strict=True)
                if begin < stop and start < begin + len(table)
            ]
            return np.concatenate(found).reshape(-1, 1, PIXELS, PIXELS)

        plan = fingerprint("quickdraw", list(self.classes), [int(count) for count in counts])
        store = write_images(folder, (len(self), 1, PIXELS, PIXELS), read, plan=plan, what="quickdraw")
        class_ids = np.repeat(np.arange(len(tables)), counts)
        return Source.create("quickdraw", store, class_ids, class_names=self.classes)

    def examples(self, count: int) -> list[Image.Image]:
        """The first drawing of each of so many categories, which lie evenly over all."""
        chosen = [self.classes[place] for place in spread_evenly(len(self.classes), count)]
        return [Image.fromarray(np.asarray(self.drawings[name][0]).reshape(PIXELS, PIXELS)) for name in chosen]


@contextmanager
def _official(place: Path, *, images: int) -> Iterator[Bitmaps]:
    files = sorted(place.glob("*.npy"))
    if not files:
        raise FairshotError(f"{place} holds no CATEGORY.npy: put Google's numpy bitmaps there")
    yield Bitmaps({file.stem.removeprefix(PREFIX): _bitmap(file)[: images or None] for file in files})


def _bitmap(file: Path) -> Drawings:
    try:
        table = np.load(file, mmap_mode="r", allow_pickle=False)
    except (ValueError, EOFError, OSError) as error:
        raise FairshotError(f"{file} is no complete numpy file: fetch it again") from error
    if table.dtype != np.uint8 or table.shape[1:] != (PIXELS * PIXELS,):
        raise FairshotError(f"{file} holds {table.dtype} of {table.shape}: expected bytes, {PIXELS * PIXELS} a drawing")
    return table


@contextmanager
def _first_hundred(place: Path, *, images: int) -> Iterator[Bitmaps]:
    with np.load(place) as arrays:
        names, drawings = arrays["names"].tolist(), arrays["images"]
    flat = drawings.reshape(len(names), -1, PIXELS * PIXELS)
    yield Bitmaps({name: table[: images or None] for name, table in zip(names, flat, strict=True)})


def copies(images: int = 0) -> Copies:
    """The copies, each with at most so many drawings of a category."""
    return {
        "official": Copy((("quickdraw/numpy_bitmap",),), partial(_official, images=images)),
        **shared_copies("quickdraw"),
        "wild": Copy(
            (("wild/quickdraw345x100_28.npz",),),
            partial(_first_hundred, images=images),
            "all 345 categories, but the first 100 drawings of each, drawn from their strokes by somebody else's "
            "programme and not filtered by whether the game recognised them",
        ),
    }


COPIES = copies()
