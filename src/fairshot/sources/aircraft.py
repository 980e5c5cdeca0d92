"""FGVC-Aircraft: 10,000 photographs of 100 variants of aircraft (Maji et al. 2013), cropped to the boxes as in
Meta-Dataset.

Read from the official archive, packed or unpacked. A class is a variant, its parent the family. The box takes away the
banner of 20 pixels that names the photographer. https://www.robots.ox.ac.uk/~vgg/data/fgvc-aircraft
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from PIL import Image

from fairshot.runtime.archives import Read, open_archive
from fairshot.runtime.errors import FairshotError
from fairshot.sources.images.collection import Collection, open_picture
from fairshot.sources.images.copies import Copy, load_copy
from fairshot.sources.images.shared_copies import shared_copies
from fairshot.sources.source import Source

SETS = ("trainval", "test")
RELEASED = (100, 10_000)  # classes and images


def load(*, size: int | None = None, copy: str = "") -> Source:
    """The photographs as their owner publishes them, or another copy; `size` makes squares of that many pixels."""
    return load_copy("aircraft", COPIES, copy, size)


@contextmanager
def _official(place: Path) -> Iterator[Collection]:
    with open_archive(place) as (members, read):
        table = {member.rpartition("/")[2]: member for member in members}
        listed = {part: _pairs(read, table, f"images_variant_{part}.txt") for part in SETS}
        variants = {image: name for pairs in listed.values() for image, name in pairs}
        side = {image: part for part, pairs in listed.items() for image, _ in pairs}
        families = {image: name for part in SETS for image, name in _pairs(read, table, f"images_family_{part}.txt")}
        boxes = dict(_pairs(read, table, "images_box.txt"))
        images = sorted(image for image in variants if f"{image}.jpg" in table)

        def open_box(number: int) -> Image.Image:
            left, top, right, bottom = map(int, boxes[images[number]].split())
            return open_picture(read(table[f"{images[number]}.jpg"])).crop((left, top, right, bottom))

        labels = [variants[image] for image in images]
        parents = {variants[image]: families.get(image, "aircraft") for image in images}
        sides = [side[image] for image in images]
        yield Collection("aircraft", images, labels, open_box, parents=parents, sides=sides)


def _pairs(read: Read, table: dict[str, str], name: str) -> list[tuple[str, str]]:
    """The lines of a table as what stands before and after the first space."""
    if name not in table:
        raise FairshotError(f"aircraft lacks {name}: fetch it again")
    lines = (line.partition(" ") for line in read(table[name]).decode().splitlines() if line.strip())
    return [(image, value) for image, _, value in lines]


@contextmanager
def _edges(place: Path) -> Iterator[Collection]:
    with np.load(place) as arrays:
        images, labels, ids = arrays["images"], arrays["label"], arrays["id"]
        variants, families = arrays["variant"].tolist(), arrays["family"].tolist()
    yield Collection(
        "aircraft",
        ids.tolist(),
        [variants[label] for label in labels],
        lambda number: Image.fromarray(images[number]),
        grey=True,
        parents=dict(zip(variants, families, strict=True)),
    )


COPIES = {
    "official": Copy((("aircraft/fgvc-aircraft-2013b",),), _official),
    **shared_copies("aircraft"),
    "wild": Copy(
        (("wild/aircraft100_sobel_64x32.npz",),),
        _edges,
        "all 100 variants, but 40 of 100 images each and as edge maps of 64 x 32 pixels: no photographs, colour and "
        "shading are gone",
    ),
}
