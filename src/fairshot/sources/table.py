"""A table of pictures: Parquet files with a column of images and one of labels, as Hugging Face keeps data sets."""

import importlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from fairshot.runtime.errors import FairshotError, unknown
from fairshot.runtime.files import expand
from fairshot.runtime.grammar.data import TableSpec, parse_table
from fairshot.runtime.grammar.settings import type_settings
from fairshot.runtime.parquet import parquet_library, readable_parquet
from fairshot.sources.folder import ImageFiles, load_images
from fairshot.sources.source import Source

ENDINGS = (".parquet", ".pq")
USUAL = {  # what columns are usually called
    "image": ("image", "img", "picture"),
    "label": ("label", "labels", "fine_label", "class", "target", "y"),
    "groups": ("group", "groups"),
}


@dataclass(frozen=True, order=True)
class Picture:
    """An image file that stands in a row of a table; it is read as a file of a folder is."""

    table: str
    row: int
    content: Callable[[int], Any] = field(compare=False, repr=False)

    def __str__(self) -> str:
        return f"row {self.row} of {self.table}"

    def relative_to(self, root: Path) -> str:
        """What a list of bad files calls it."""
        return f"row {self.row}"

    def read_bytes(self) -> bytes:
        """The image file: bytes alone, or bytes or a path as Hugging Face writes them."""
        value = self.content(self.row)
        if isinstance(value, Mapping):
            value = value.get("bytes") or value.get("path")
        if isinstance(value, str) and Path(value).is_file():
            return Path(value).read_bytes()
        if not isinstance(value, bytes):
            raise FairshotError(f"{self} holds no image file: store the bytes of images in the table itself")
        return value


def load(path: str, *, size: int | None = None, skip_bad: bool = False) -> Source:
    """One Parquet file or all below a folder; `FILE.parquet:image=COLUMN,label=COLUMN,groups=COLUMN` names columns.

    `size` resizes images to a square; those that cannot be read raise, or are left out if `skip_bad` is set.
    """
    images = open_pictures(path)
    return load_images(images, size, path, skip_bad=skip_bad)


def open_pictures(path: str) -> ImageFiles:
    """The pictures of a table with their classes and groups; none is read yet."""
    spec = parse_table(path, ENDINGS) or TableSpec(path)
    asked = type_settings(spec.settings, dict.fromkeys(USUAL, str), "a table of pictures")
    place = expand(spec.file)
    files = sorted(file for ending in ENDINGS for file in place.rglob(f"*{ending}")) if place.is_dir() else [place]
    if not files or not files[0].is_file():
        raise FairshotError(f"there is no {spec.file} with pictures: give a Parquet file, or a folder that holds some")
    values, names = _read_columns(files, asked)
    column = values["image"]
    pictures = [Picture(place.name, row, lambda row: column[row].as_py()) for row in range(len(column))]
    images = _labelled(pictures, values["label"].to_pylist(), names, place)
    groups = values["groups"].to_pylist() if "groups" in values else None
    return _grouped(images, groups)


def from_rows(rows: Any) -> Source:
    """A data set of Hugging Face's library in hand, whose pictures have to be of one size."""
    datasets = importlib.import_module("datasets")
    image, label = (_column(rows.column_names, None, name) for name in ("image", "label"))
    undecoded = rows.cast_column(image, datasets.Image(decode=False))
    content = cache(partial(_row_content, undecoded, image))
    pictures = [Picture("the data set", row, content) for row in range(len(rows))]
    names = tuple(getattr(rows.features[label], "names", None) or ())
    return load_images(
        _labelled(pictures, rows[label], names, Path("dataset")), None, rows._fingerprint, in_memory=True
    )


def is_rows(data: object) -> bool:
    """Whether an object is a data set of Hugging Face's library."""
    return hasattr(data, "column_names") and hasattr(data, "features") and hasattr(data, "cast_column")


def _row_content(rows: Any, column: str, row: int) -> Any:
    return rows[row][column]


def _read_columns(files: Sequence[Path], asked: Mapping[str, str]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The columns of images, labels and groups, and the names that numbers stand for."""
    with readable_parquet(files[0]):
        parquet = parquet_library()
        schema = parquet.read_schema(files[0])
        chosen = {name: _column(schema.names, asked.get(name), name) for name in ("image", "label")}
        if "groups" in asked or set(USUAL["groups"]) & set(schema.names):
            chosen["groups"] = _column(schema.names, asked.get("groups"), "groups")
        table = parquet.read_table([str(file) for file in files], columns=list(chosen.values()), memory_map=True)
    return {name: table.column(column) for name, column in chosen.items()}, _class_names(schema, chosen["label"])


def _column(names: Sequence[str], asked: str | None, what: str) -> str:
    if asked is not None and asked not in names:
        raise unknown("column", asked, names)
    found = asked or next((name for name in USUAL[what] if name in names), None)
    if found is None:
        raise FairshotError(
            f"the table has the columns {', '.join(names)} and none that is called {USUAL[what][0]}: name it, as in "
            f"table:FILE.parquet:{what}=COLUMN"
        )
    return found


def _class_names(schema: Any, label: str) -> tuple[str, ...]:
    """The names that numbers stand for, where Hugging Face's library wrote the table."""
    try:
        features = json.loads((schema.metadata or {})[b"huggingface"])["info"]["features"]
        return tuple(str(name) for name in features[label]["names"])
    except (KeyError, TypeError, ValueError):
        return ()


def _labelled(pictures: list[Picture], labels: Sequence[Any], names: tuple[str, ...], root: Path) -> ImageFiles:
    """Pictures with the class of each as a word."""
    if not pictures:
        raise FairshotError(f"{root.name} has columns and no row: give a row for each picture")
    for row, label in enumerate(labels):
        if not isinstance(label, int | str) or (names and isinstance(label, int) and not 0 <= label < len(names)):
            raise FairshotError(f"row {row} of {root.name} has the label {label!r}: give every row a class")
    words = [names[label] if names and isinstance(label, int) else str(label) for label in labels]
    return ImageFiles(root, pictures, [word.replace("/", "-") for word in words], {})


def _grouped(images: ImageFiles, groups: Sequence[Any] | None) -> ImageFiles:
    if groups is None:
        return images
    numbers = np.unique([str(group) for group in groups], return_inverse=True)[1].astype(np.int64)
    return ImageFiles(images.root, images.files, images.labels, {"group": numbers})
