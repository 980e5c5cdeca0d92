"""Pictures as they come: files of any size, or rows of an array, read one by one and prepared all alike.

A benchmark has one size and no broken file; what a person wants to have labelled has many sizes and a few.
"""

import hashlib
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TypeVar

import numpy as np
from jaxtyping import Int, UInt8
from PIL import Image

from fairshot.runtime.backends.backend import ordered_map
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.files import expand, files_below
from fairshot.sources.array import as_store, load, read_arrays
from fairshot.sources.arrays.files import is_array_file
from fairshot.sources.folder import ENDINGS, image_files, peek, pixels
from fairshot.sources.images.bad_files import BadFiles, BadImage, read_all
from fairshot.sources.images.part_folders import without_stages
from fairshot.sources.recipe import RAW, Recipe
from fairshot.sources.source import Source

Given = TypeVar("Given")
Found = TypeVar("Found")
Picture = UInt8[np.ndarray, "channel height width"]
Shape = tuple[int, ...]
"""Channels, height and width, or the length of a vector."""


class Pictures(ABC):
    """Named pictures or vectors, none of which has been read yet."""

    names: tuple[str, ...]

    @property
    @abstractmethod
    def shapes(self) -> Sequence[Shape | None]:
        """Of each; None if it cannot be read."""

    @abstractmethod
    def one(self, number: int, channels: int) -> np.ndarray:
        """One of them as it is, but for its colours; raises if it cannot be read."""

    @abstractmethod
    def read(self, numbers: Sequence[int], preparing: "Preparing") -> list[np.ndarray | None]:
        """Some of them, prepared; None for those that cannot be read."""

    def refuse(self, numbers: Sequence[int]) -> None:
        """Raises if there are any of these, which cannot be read, and names them."""
        if numbers:
            raise FairshotError(f"cannot decode {self.names[numbers[0]]}: mend or remove it")

    @abstractmethod
    def twins(self, others: "Pictures") -> dict[int, int]:
        """Which of them are byte for byte one of the others."""


@dataclass(frozen=True)
class Preparing:
    """What is done to every picture; nothing is done to a vector."""

    recipe: Recipe
    channels: int
    invert: bool = False

    def __call__(self, picture: np.ndarray) -> np.ndarray:
        """A picture as it is stored under the recipe."""
        if picture.ndim == 1:
            return picture
        return self.recipe.apply((255 - picture if self.invert else picture)[None])[0]


@dataclass(frozen=True, eq=False)
class Files(Pictures):
    """Images in files."""

    files: tuple[Path, ...]
    names: tuple[str, ...]

    @cached_property
    def shapes(self) -> Sequence[Shape | None]:
        """As a person sees them."""
        return tuple(_unless_broken(_shape, file) for file in self.files)

    def one(self, number: int, channels: int) -> Picture:
        """One image of its own size."""
        return pixels(self.files[number], channels)

    def read(self, numbers: Sequence[int], preparing: Preparing) -> list[np.ndarray | None]:
        """In threads: what takes the time is unpacking files."""

        def prepared(number: int) -> np.ndarray | None:
            return _unless_broken(lambda number: preparing(self.one(number, preparing.channels)), number)

        return list(ordered_map(prepared, numbers, count=len(numbers), backend="threads"))

    def refuse(self, numbers: Sequence[int]) -> None:
        """All of them at once, with the reasons."""
        errors = dict[Path, BadImage]()
        list(read_all(lambda file: pixels(file, 3), [self.files[number] for number in numbers], errors))
        if errors:
            raise BadFiles(_root_of(self.files), errors, files=len(self.files))
        super().refuse(numbers)

    def twins(self, others: Pictures) -> dict[int, int]:
        """Only files of equal length are read for it."""
        if not isinstance(others, Files):
            return {}
        lengths = [file.stat().st_size for file in self.files]
        theirs = [file.stat().st_size for file in others.files]
        known = {_digest(others.files[at].read_bytes()): at for at in range(len(theirs)) if theirs[at] in set(lengths)}
        possible = set(theirs)
        found = {at: known.get(_digest(self.files[at].read_bytes())) for at, n in enumerate(lengths) if n in possible}
        return {at: other for at, other in found.items() if other is not None}


@dataclass(frozen=True, eq=False)
class Rows(Pictures):
    """Images or vectors in an array, as a Source stores them."""

    store: np.ndarray
    names: tuple[str, ...]

    @property
    def shapes(self) -> Sequence[Shape | None]:
        """All the same."""
        return (self.store.shape[1:],) * len(self.store)

    def one(self, number: int, channels: int) -> np.ndarray:
        """One row."""
        row = self.store[number]
        return row if row.ndim == 1 or len(row) == channels else _recoloured(row, channels)

    def read(self, numbers: Sequence[int], preparing: Preparing) -> list[np.ndarray | None]:
        """One after the other."""
        return [preparing(self.one(number, preparing.channels)) for number in numbers]

    def twins(self, others: Pictures) -> dict[int, int]:
        """Equal rows."""
        if not isinstance(others, Rows):
            return {}
        known = {_digest(row.tobytes()): at for at, row in enumerate(others.store)}
        found = {at: known.get(_digest(row.tobytes())) for at, row in enumerate(self.store)}
        return {at: other for at, other in found.items() if other is not None}


@dataclass(frozen=True, eq=False)
class Labelled:
    """A support set as it comes."""

    name: str
    pictures: Pictures
    labels: Int[np.ndarray, " image"]
    class_names: tuple[str, ...]

    def prepared(self, preparing: Preparing) -> Source:
        """As a Source that a learner can be shown; a support image that cannot be read raises."""
        numbers = range(len(self.labels))
        read = self.pictures.read(numbers, preparing)
        self.pictures.refuse([number for number in numbers if read[number] is None])
        return as_source(self.name, [row for row in read if row is not None], self.labels, self.class_names, preparing)


def as_source(
    name: str,
    prepared: Sequence[np.ndarray],
    labels: Int[np.ndarray, " image"],
    class_names: tuple[str, ...],
    preparing: Preparing,
) -> Source:
    """Prepared pictures or vectors, all of one shape."""
    source = Source.create(name, np.stack(prepared), labels, class_names=class_names)
    return replace(source, recipe=preparing.recipe) if source.has_images else source


def open_support(support: str | Path | Source) -> Labelled:
    """A folder of class folders, a file of arrays with X and y, or a whole Source."""
    if isinstance(support, Source):
        return _of_source(support)
    text = str(support)
    if text.startswith("array:") or (is_array_file(text) and not os.path.isdir(text)):
        return _of_source(load(text.removeprefix("array:")))
    return _of_folder(text.removeprefix("folder:"))


def _of_source(source: Source) -> Labelled:
    if source.recipe.key != RAW.key:
        raise FairshotError(
            f"{source.name} went through the recipe {source.recipe.name} already: give it raw, and the recipe beside it"
        )
    classes, labels = np.unique(source.class_ids, return_inverse=True)
    names = tuple(f"row {image_id}" for image_id in source.image_ids.tolist())
    rows = np.asarray(source.read(slice(None)))
    return Labelled(source.name, Rows(rows, names), labels, tuple(source.class_names[c] for c in classes))


def _of_folder(path: str) -> Labelled:
    root = expand(path)
    if not os.path.isdir(root):
        raise FairshotError(
            f"there is no folder {path}: give support a folder of class folders with images, or array:FILE.npz"
        )
    files = tuple(image_files(root))
    if not files:
        raise FairshotError(f"{path} holds no images in class folders: give a folder of images for each class")
    errors = dict[Path, BadImage]()
    begun = [file for file, _ in read_all(peek, files, errors)]
    if errors:  # those that begin well and break off are named with the others
        list(read_all(lambda file: pixels(file, 3), begun, errors))
        raise BadFiles(root, dict(sorted(errors.items())), files=len(files))
    names = tuple(file.relative_to(root).as_posix() for file in files)
    classes, _ = without_stages(root, [name.rpartition("/")[0] for name in names])
    known, labels = np.unique(classes, return_inverse=True)
    return Labelled(root.resolve().name, Files(files, names), labels, tuple(known.tolist()))


def open_images(images: str | Path | np.ndarray | Sequence[str | Path]) -> Pictures:
    """Files and folders of images, files of arrays with X, or an array."""
    if isinstance(images, np.ndarray):
        return Rows(as_store(images), tuple(f"row {number}" for number in range(len(images))))
    paths = [images] if isinstance(images, str | Path) else list(images)
    arrays = [str(path) for path in paths if is_array_file(str(path)) and not os.path.isdir(path)]
    if not arrays:
        return _of_files([file for path in paths for file in _below(Path(path))])
    if len(arrays) < len(paths):
        raise FairshotError(
            f"{arrays[0]} holds arrays and {next(path for path in paths if str(path) not in arrays)} does not: "
            "give images or .npz files, not both"
        )
    return _of_arrays(arrays)


def _of_files(files: Sequence[Path]) -> Files:
    found = tuple(dict.fromkeys(files))
    return Files(found, tuple(str(file) for file in found))


def _below(path: Path) -> Iterator[Path]:
    """A file that was named, whatever it is; of a folder all that look like images, at any depth."""
    path = expand(path)
    if not os.path.exists(path):
        raise FairshotError(f"there is no file or folder {path}: give images")
    if not path.is_dir():
        yield path
        return
    inside = (file for file in files_below(path) if file.suffix.lower() in ENDINGS and os.path.isfile(file))
    found = [file for file in inside if not any(part.startswith(".") for part in file.relative_to(path).parts)]
    if not found:
        raise FairshotError(f"{path} holds no images: give images, or a folder with images at any depth")
    yield from found


def _of_arrays(files: Sequence[str]) -> Rows:
    stores, names = [], list[str]()
    for file in files:
        arrays = read_arrays(file, ("X",))
        stores.append(as_store(arrays["X"]))
        own = arrays.get("names", np.array([f"{file}:{row}" for row in range(len(stores[-1]))]))
        if own.shape != (len(stores[-1]),):
            raise FairshotError(f"names in {file} has shape {own.shape}: give one name for each of its rows")
        names += [str(name) for name in own]
    if len({store.shape[1:] for store in stores}) > 1:
        shapes = " and ".join(sorted({str(store.shape[1:]) for store in stores}))
        raise FairshotError(f"the files hold rows of different shapes, {shapes}: label them one by one")
    return Rows(np.concatenate(stores), tuple(names))


def _shape(file: Path) -> Shape:
    grey, (width, height) = peek(file)
    return (1 if grey else 3, height, width)


def _root_of(files: Sequence[Path]) -> Path:
    return Path(os.path.commonpath([file.parent for file in files]))


def _unless_broken(work: Callable[[Given], Found], given: Given) -> Found | None:
    try:
        return work(given)
    except Exception:  # whatever Pillow may raise for what is no image
        return None


def _recoloured(picture: Picture, channels: int) -> UInt8[np.ndarray, "{channels} height width"]:
    if channels == 3:
        return np.repeat(picture, 3, axis=0)
    return np.asarray(Image.fromarray(picture.transpose(1, 2, 0)).convert("L"))[None]


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=16).digest()
