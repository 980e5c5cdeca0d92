"""MSCOCO: 860,001 things of 80 classes cut out of the photographs of train2017 (Lin et al. 2014), as in Meta-Dataset.

Read from train2017.zip and annotations_trainval2017.zip, packed or unpacked. Each thing is cropped by its box, which is
made a fifth larger first; crops that have no pixel are left out. https://cocodataset.org
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import Image

from fairshot.runtime.archives import open_archive, read_only_file
from fairshot.sources.images.class_folders import class_folders
from fairshot.sources.images.collection import Collection, open_picture
from fairshot.sources.images.copies import Copy, load_copy
from fairshot.sources.images.shared_copies import shared_copies
from fairshot.sources.source import Source

TABLE = "instances_train2017.json"
LARGER = 1.2  # how much wider and higher a box is made
RELEASED = (80, 860_001)  # classes and images

Box = tuple[int, int, int, int]


def load(*, size: int | None = None, copy: str = "") -> Source:
    """The things as they are cut out of the official photographs, or another copy; `size` makes squares of them."""
    return load_copy("mscoco", COPIES, copy, size)


@contextmanager
def _official(place: Path, annotations: Path) -> Iterator[Collection]:
    table = json.loads(read_only_file(annotations, TABLE))
    classes = {one["id"]: one["name"] for one in table["categories"]}
    sizes = {one["id"]: (one["width"], one["height"]) for one in table["images"]}
    with open_archive(place) as (members, read):
        files = {member.rpartition("/")[2]: member for member in members}
        things = [
            (f"{one['image_id']:012d}.jpg", box, classes[one["category_id"]], one["id"])
            for one in sorted(table["annotations"], key=lambda one: (one["image_id"], one["id"]))
            if (box := crop_box(one["bbox"], sizes[one["image_id"]])) and f"{one['image_id']:012d}.jpg" in files
        ]
        last: dict[str, Image.Image] = {}

        def cut(number: int) -> Image.Image:
            file, box, *_ = things[number]
            if file not in last:  # things come one photograph after the other: the last one is enough
                last.clear()
                last[file] = open_picture(read(files[file])).convert("RGB")
            return last[file].crop(box)

        names = [f"{file}/{number}" for file, _, _, number in things]
        yield Collection("mscoco", names, [label for _, _, label, _ in things], cut)


def crop_box(box: Any, size: tuple[int, int]) -> Box | None:
    """A box (left, top, width, height) made larger around its centre and cut at the edges, or None if nothing is left.

    MSCOCO measures from the centre of the first pixel, Pillow from its corner.
    """
    left, top, width, height = box
    left, top = left - 0.5 * width * (LARGER - 1), top - 0.5 * height * (LARGER - 1)
    width, height = width * LARGER, height * LARGER
    first, upper = max(round(left - 0.5), 0), max(round(top - 0.5), 0)
    last, lower = min(round(left + width - 0.5) + 1, size[0]), min(round(top + height - 0.5) + 1, size[1])
    return (first, upper, last, lower) if last > first and lower > upper else None


COPIES = {
    "official": Copy(
        (("mscoco/train2017",), ("mscoco/annotations_trainval2017", "mscoco/annotations", f"mscoco/{TABLE}")), _official
    ),
    **shared_copies("mscoco"),
    "wild": Copy(
        (("wild/mscoco_crops_84",),),
        class_folders("mscoco", label=lambda folder: folder.replace("_", " ")),
        "74 of 80 classes with 10 to 40 crops each (2,828 of 860,001), cut out of photographs of 256 x 256 pixels; "
        "crops below 32 pixels are left out, one a photograph and class",
    ),
}
