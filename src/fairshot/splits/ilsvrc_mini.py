"""Which images of ILSVRC-2012 are mini-ImageNet's: the lists of Ravi and Larochelle, as their owners publish them.

`n0153282900000005.jpg` is the fifth image of n01532829 in the order of the numbers that end ILSVRC's file names. Lists
that give those names themselves, n01532829_20457.JPEG, are read too.
"""

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from jaxtyping import Int

from fairshot.runtime.data import data_folders
from fairshot.runtime.errors import FairshotError
from fairshot.sources.source import Source

FILES = {"base": "train.csv", "val": "val.csv", "novel": "test.csv"}
COLUMNS = ("filename", "image_name")  # as Ravi and Larochelle call it; as others do
HOME = "https://github.com/twitter-research/meta-learning-lstm/tree/master/data/miniImagenet"
_NAME = re.compile(r"(n\d{8})(?:_(?P<number>\d+)|(?P<place>\d{8}))\.jpe?g", re.IGNORECASE)


@dataclass(frozen=True)
class ListedImage:
    """An image of a list: its class, and either its place among the class's images, from 1, or its number."""

    name: str
    wnid: str
    place: int | None
    number: int | None


def find_images(source: Source) -> dict[str, Int[np.ndarray, " image"]]:
    """The rows of a source of ILSVRC's images that are base, val and novel in mini-ImageNet."""
    return {part: _rows(source, list(_read(_find(file)))) for part, file in FILES.items()}


def _find(file: str) -> Path:
    homes = [home / "mini_imagenet" for home in data_folders()]
    for home in homes:
        if (home / file).is_file():
            return home / file
    raise FairshotError(
        f"which images are mini-ImageNet's is not known here: no {file} in {', '.join(map(str, homes))}; put "
        f"train.csv, val.csv and test.csv of Ravi and Larochelle there, from {HOME}"
    )


def _read(path: Path) -> Iterator[ListedImage]:
    with path.open(newline="", encoding="utf-8-sig") as file:
        table = csv.DictReader(file)
        column = next((name for name in COLUMNS if name in (table.fieldnames or ())), None)
        if column is None:
            raise FairshotError(
                f"{path} has no column {COLUMNS[0]}, it begins with {', '.join(table.fieldnames or ('nothing',))}: "
                f"take the one from {HOME}"
            )
        for row in table:
            name = row[column] or ""
            match = _NAME.fullmatch(name)
            if match is None:
                raise FairshotError(
                    f"{path} lists '{name}', which names no image of ImageNet: take the one from {HOME}, with names "
                    "such as n0153282900000005.jpg"
                )
            place, number = (int(match[key]) if match[key] else None for key in ("place", "number"))
            yield ListedImage(name, match[1], place, number)


def _rows(source: Source, listed: list[ListedImage]) -> Int[np.ndarray, " image"]:
    """Where the listed images stand in the source."""
    numbers, ids = source.attributes["number"], {name: number for number, name in enumerate(source.class_names)}
    there: dict[str, dict[int, int]] = {}  # of each class the row of each number, in the order of the numbers
    for wnid in sorted({one.wnid for one in listed}):
        if wnid not in ids:
            raise FairshotError(f"{source.name} lacks class {wnid} of mini-ImageNet: put all of ILSVRC's classes there")
        own = np.flatnonzero(source.class_ids == ids[wnid])
        own = own[np.argsort(numbers[own])]
        there[wnid] = dict(zip(numbers[own].tolist(), own.tolist(), strict=True))
    ordered = {wnid: list(found) for wnid, found in there.items()}
    return np.array([_row(one, there[one.wnid], ordered[one.wnid], source.name) for one in listed], dtype=np.int64)


def _row(one: ListedImage, there: dict[int, int], ordered: list[int], source: str) -> int:
    number = one.number
    if one.place is not None and 1 <= one.place <= len(ordered) and ordered[0] >= 0:
        number = ordered[one.place - 1]
    if number not in there:
        raise FairshotError(
            f"{one.name} of mini-ImageNet is not among the {len(there)} images of {one.wnid} in {source}: put all of "
            "ILSVRC's training images there under their own names, such as n01532829_20457.JPEG"
        )
    return there[number]
