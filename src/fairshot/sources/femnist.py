"""FEMNIST: digits and letters, 62 classes, by some 3,600 writers (Caldas et al. 2018, after NIST's database 19).

Read from the JSON files that LEAF's scripts make (all_data_0.json and so on), one file at a time. As in FEMNIST-ID
(Setlur et al. 2021), classes of which a writer has a single image are left out, and then writers with a single class.
https://leaf.cmu.edu
"""

import json
import string
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from jaxtyping import Bool, Int, UInt8

from fairshot.runtime.cache import new_images
from fairshot.runtime.data import data_folders, stamp
from fairshot.runtime.errors import FairshotError
from fairshot.sources.source import Source
from fairshot.sources.store import load_once

NAMES = tuple(string.digits + string.ascii_uppercase + string.ascii_lowercase)
SIDE = 28
LEAST = 2  # images of a writer and class, and classes of a writer
PLACES = (".", "all_data", "data/all_data")  # the files alone; LEAF's folder of them; LEAF's own tree


def load() -> Source:
    """All images of writers with enough of them; the attribute `writer` is a writer's place among the sorted ids."""
    files = _find()
    return load_once("femnist", [1, [stamp(file) for file in files]], lambda folder: _decode(files, folder))


def _find() -> list[Path]:
    homes = [home / "femnist" for home in data_folders()]
    for place in (home / place for home in homes for place in PLACES):
        if files := sorted(place.glob("*.json")):
            return files
    raise FairshotError(
        f"femnist is not here: no JSON files in {', '.join(map(str, homes))}; put those of LEAF's data/femnist/data/"
        "all_data there, or let FAIRSHOT_DATA list the folder that holds femnist/"
    )


def _decode(files: list[Path], folder: Path) -> Source:
    pixels, labels, ids = [], [], []
    for file in files:
        for writer, images, classes in _writers(file):
            pixels.append(images)
            labels.append(classes)
            ids += [writer] * len(classes)
    writers = np.unique(ids, return_inverse=True)[1] if ids else np.zeros(0, dtype=np.int64)
    classes = np.concatenate([np.zeros(0, dtype=np.int64), *labels])
    kept = enough(writers, classes)
    if not kept.any():
        raise FairshotError(
            f"{files[0].parent} holds {len(kept)} images and no writer with {LEAST} of {LEAST} classes each: put all "
            "of LEAF's files there"
        )
    store = new_images(folder, (int(kept.sum()), 1, SIDE, SIDE), "characters")
    start, row = 0, 0
    for images in pixels:
        chosen = images[kept[start : start + len(images)]]
        store[row : row + len(chosen), 0] = chosen
        start, row = start + len(images), row + len(chosen)
    places = np.unique(writers[kept], return_inverse=True)[1]
    return Source.create("femnist", store, classes[kept], class_names=NAMES, attributes={"writer": places})


def enough(writers: Int[np.ndarray, " image"], classes: Int[np.ndarray, " image"]) -> Bool[np.ndarray, " image"]:
    """Whether each image is of a class its writer has two images of, and of a writer with two such classes."""
    cells, where, counts = np.unique(writers * len(NAMES) + classes, return_inverse=True, return_counts=True)
    large = counts >= LEAST
    offered = np.bincount(cells // len(NAMES), large, minlength=1)
    return large[where] & (offered[writers] >= LEAST)


def _writers(file: Path) -> Iterator[tuple[str, UInt8[np.ndarray, "image 28 28"], Int[np.ndarray, " image"]]]:
    """Each writer of a file, with images (white is 255) and classes."""
    try:
        table = json.loads(file.read_bytes())["user_data"]
        for writer, data in table.items():
            images, labels = np.array(data["x"], dtype=np.float64), np.array(data["y"], dtype=np.int64)
            if len(labels) != len(images):
                raise ValueError(f"{writer} has {len(images)} images and {len(labels)} labels")
            if len(labels) and not (labels.min() >= 0 and labels.max() < len(NAMES)):
                raise ValueError(f"{writer} has labels from {labels.min()} to {labels.max()}")
            if images.size and not (images.min() >= 0 and images.max() <= 1):
                raise ValueError(f"{writer} has values from {images.min()} to {images.max()}")
            yield writer, np.rint(255 * images).astype(np.uint8).reshape(len(labels), SIDE, SIDE), labels
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise FairshotError(
            f"{file} is not as LEAF writes it ({type(error).__name__}: {error}): make it anew with LEAF's preprocess.sh"
        ) from error
