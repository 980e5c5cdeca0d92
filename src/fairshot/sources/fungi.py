"""FGVCx Fungi 2018: 89,760 photographs of 1394 species of fungi, the official training and validation images together.

Read from fungi_train_val.tgz and train_val_annotations.tgz, packed or unpacked. Some species share a name: a class is
its number and its name. https://github.com/visipedia/fgvcx_fungi_comp
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fairshot.runtime.archives import open_archive, read_only_file
from fairshot.runtime.errors import FairshotError
from fairshot.sources.images.class_folders import class_folders, is_picture
from fairshot.sources.images.collection import Collection, open_picture
from fairshot.sources.images.copies import Copy, load_copy
from fairshot.sources.images.shared_copies import shared_copies
from fairshot.sources.source import Source

TABLES = ("train.json", "val.json")
RELEASED = (1394, 89_760)  # classes and images


def load(*, size: int | None = None, copy: str = "") -> Source:
    """The photographs as their owner publishes them, or another copy; `size` makes squares of that many pixels."""
    return load_copy("fungi", COPIES, copy, size)


@contextmanager
def _official(place: Path, annotations: Path) -> Iterator[Collection]:
    labels: dict[str, str] = {}
    for table in TABLES:
        labels |= _labels(json.loads(read_only_file(annotations, table)))
    with open_archive(place) as (members, read):
        table_of = {_below_images(member): member for member in members if is_picture(member)}
        names = sorted(labels)
        missing = [name for name in names if name not in table_of]
        if missing:
            raise FairshotError(f"{place} lacks {missing[0]} and {len(missing) - 1:,} others that {annotations} names")
        yield Collection(
            "fungi", names, [labels[name] for name in names], lambda number: open_picture(read(table_of[names[number]]))
        )


def _labels(table: dict[str, Any]) -> dict[str, str]:
    """The class of every image of a table, by the image's path."""
    classes = {one["id"]: f"{one['id']:04d}.{one['name'].strip()}" for one in table["categories"]}
    files = {one["id"]: _below_images(one["file_name"]) for one in table["images"]}
    return {files[one["image_id"]]: classes[one["category_id"]] for one in table["annotations"]}


def _below_images(path: str) -> str:
    return path.rpartition("images/")[2]


COPIES = {
    "official": Copy(
        (("fungi/fungi_train_val", "fungi/images"), ("fungi/train_val_annotations", "fungi/annotations")), _official
    ),
    **shared_copies("fungi"),
    "wild": Copy(
        (("wild/fungi_genera9_84",),),
        class_folders("fungi"),
        "other photographs: 9 genera with 100 images each at 84 pixels, none of the 1394 species; the released split "
        "has none of these classes, and all of them are novel with all-novel",
    ),
}
