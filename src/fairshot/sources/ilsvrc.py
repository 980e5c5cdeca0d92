"""ILSVRC-2012: the training images of ImageNet's 1000 classes, as published: train/WNID/IMAGE.JPEG.

Russakovsky et al. 2015. Its terms let nobody pass the images on: they are read from where you keep them.
https://image-net.org
"""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np

from fairshot.runtime.data import data_folders
from fairshot.runtime.errors import FairshotError
from fairshot.sources import folder
from fairshot.sources.images.class_folders import class_folders
from fairshot.sources.images.copies import Copy, load_copy
from fairshot.sources.images.shared_copies import shared_copies
from fairshot.sources.source import Source

RELEASED = (1000, 1_280_764)  # classes and images that Meta-Dataset kept
PLACES = ("train", "ILSVRC/Data/CLS-LOC/train")  # the archive unpacked; the same as Kaggle packs it

_NUMBER = re.compile(r"_(\d+)$")


def load(*, size: int | None = None) -> Source:
    """The training images below DATA/ilsvrc; `size` resizes them to a square while reading.

    The attribute `number` is what stands behind the underscore of a file's name, -1 where nothing does. Where there are
    no such files, a converted copy of Meta-Dataset's is read, which has no numbers.
    """
    if not COPIES["official"].find() and any(COPIES[copy].find() for copy in ("records", "hdf5")):
        return load_copy("ilsvrc", COPIES, "", size)
    root = _find()
    files, labels = folder.class_files(root)
    numbers = np.array([int(match[1]) if (match := _NUMBER.search(file.stem)) else -1 for file in files])
    images = folder.load_labelled(root, files, labels, size=size, attributes={"number": numbers}, how="number")
    return replace(images, name="ilsvrc", parents=("ilsvrc",) * len(images.class_names))


def _find() -> Path:
    homes = [home / "ilsvrc" for home in data_folders()]
    for place in (home / place for home in homes for place in PLACES):
        if place.is_dir():
            return place
    raise FairshotError(
        f"ilsvrc is not here: no folder train in {', '.join(map(str, homes))}; unpack ImageNet's training images into "
        "it as train/WNID/IMAGE.JPEG, or let FAIRSHOT_DATA list the folder that holds ilsvrc/"
    )


COPIES = {
    "official": Copy((tuple(f"ilsvrc/{place}" for place in PLACES),), class_folders("ilsvrc")),
    **shared_copies("ilsvrc"),
}
