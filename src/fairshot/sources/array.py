"""Arrays: embeddings or images with labels, from an .npz file or straight from Python."""

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import UInt8
from PIL import Image

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.files import expand
from fairshot.runtime.fingerprints import hash_rows
from fairshot.sources.folder import ROUNDING, on_paper
from fairshot.sources.images.part_folders import doubled_classes
from fairshot.sources.source import MADE_OF, Source

KEYS = ("X", "y", "parents", "groups", "class_names", MADE_OF)
ATTRIBUTE = "attribute."  # begins the key of an attribute: attribute.writer, attribute.material.suede


def load(path: str) -> Source:
    """An .npz file with X and y; if wanted parents and made_of (per class or image), groups (per image), class_names.

    `attribute.NAME` holds an attribute of each image: numbers or words.
    """
    found = read_arrays(path, ("X", "y"))
    attributes = {key.removeprefix(ATTRIBUTE): found[key] for key in found if key.startswith(ATTRIBUTE)}
    others = {key: found[key] for key in KEYS[2:] if key in found}
    return from_arrays(found["X"], found["y"], name=Path(path).stem, attributes=attributes, **others)


def read_arrays(path: str, needed: tuple[str, ...]) -> dict[str, np.ndarray]:
    """Every array in an .npz file by name; nothing in it can be code."""
    file, wanted = expand(path), " and ".join(needed)
    if not os.path.isfile(file):
        raise FairshotError(f"there is no file {path}: give an .npz file with {wanted}")
    try:
        with open(file, "rb") as opened:
            saved = np.load(opened, allow_pickle=False)
            single = isinstance(saved, np.ndarray)
            members = {} if single else {key: saved[key] for key in saved.files}
    except Exception as error:  # whatever a damaged, locked or lying file may raise
        advice = (
            "make arrays plain, as in y.astype(str)" if "Object arrays" in str(error) else "save it with numpy.savez"
        )
        raise FairshotError(f"cannot read {path} as .npz without pickle ({error}): {advice}") from error
    if single:
        together = "X and y together" if len(needed) > 1 else "it as X"
        raise FairshotError(f"{path} is a single array: save {together} with numpy.savez")
    found = {key: member for key, member in members.items() if isinstance(member, np.ndarray)}
    if not set(needed) <= found.keys():
        raise FairshotError(f"{path} holds {', '.join(sorted(found)) or 'no array'}: it needs {wanted}")
    return found


def from_arrays(
    X: np.ndarray,
    y: np.ndarray,
    *,
    name: str = "array",
    parents: np.ndarray | None = None,
    groups: np.ndarray | None = None,
    class_names: np.ndarray | None = None,
    attributes: Mapping[str, np.ndarray] | None = None,
    made_of: np.ndarray | None = None,
) -> Source:
    """A Source of embeddings [image, feature] or images [image, height, width] or with channels, first or last.

    Classes with the same `made_of` are made of one another and count as one class in intervals.
    """
    X, y, parents, class_names = np.asarray(X), _text(y), _text(parents), _text(class_names)
    rows = len(X) if X.ndim else 0
    if y.ndim != 1 or rows != len(y):
        raise FairshotError(f"X has {rows} rows and y has shape {y.shape}: give one label per row")
    if len(y) == 0:
        raise FairshotError("X and y are empty: give at least two classes with some images each")
    if y.dtype.kind not in "iuUSb":
        raise FairshotError(f"y is of type {y.dtype}: give labels as integers or strings")
    labels, class_ids = np.unique(y, return_inverse=True)
    names = _class_names(labels, class_names)
    found = {key: _numbers(f"attribute {key}", values, len(y)) for key, values in (attributes or {}).items()}
    if groups is not None:
        if len(groups) != len(y):
            raise FairshotError(f"groups has {len(groups)} entries and y {len(y)}: give one group per row")
        found["group"] = np.unique(groups, return_inverse=True)[1]
    store = as_store(X)
    source = Source.create(
        name,
        store,
        class_ids,
        class_names=names,
        parents=_per_class("parents", parents, class_ids, names),
        attributes=found,
        class_attributes=None if made_of is None else {MADE_OF: _originals(_text(made_of), class_ids, names)},
    )
    return replace(source, notes=_doubled(store, class_ids, names))


def _doubled(store: np.ndarray, class_ids: np.ndarray, names: tuple[str, ...]) -> tuple[str, ...]:
    """Notes on classes with the same images; pixels are compared only where as many images have as much ink."""
    if store.ndim != 4:
        return ()
    ink = np.bincount(class_ids, store.reshape(len(store), -1).sum(axis=1, dtype=np.int64))
    _, number, times = np.unique(
        np.stack([ink, np.bincount(class_ids)], axis=1), axis=0, return_inverse=True, return_counts=True
    )
    rows = np.flatnonzero((times[number] > 1)[class_ids])
    return doubled_classes([names[c] for c in class_ids[rows]], hash_rows(store[rows]).tolist())


def _originals(made_of: np.ndarray, class_ids: np.ndarray, names: tuple[str, ...]) -> np.ndarray:
    """A number for each class, the same for classes that are made of the same."""
    return np.unique(np.array(_per_class(MADE_OF, made_of, class_ids, names)), return_inverse=True)[1]


def _numbers(what: str, values: np.ndarray, rows: int) -> np.ndarray:
    """Whole numbers as they are, words numbered in their order."""
    values = _text(values)
    if values.shape != (rows,) or values.dtype.kind not in "iubUS":
        raise FairshotError(
            f"{what} is of type {values.dtype} and shape {values.shape}: give a whole number or a word for each of the "
            f"{rows} rows"
        )
    if values.dtype.kind in "iub" and values.min() >= 0:
        return values.astype(np.int64)
    return np.unique(values, return_inverse=True)[1]


def _text(values: Any) -> Any:
    """As an array, byte strings as text, Python objects as what they are; nothing stays nothing."""
    if values is None:
        return None
    values = np.asarray(values)
    if values.dtype == object and {type(value) for value in values.flat} in ({str}, {int}):
        values = np.array(values.tolist())
    try:
        return np.char.decode(values, "utf-8") if values.dtype.kind == "S" else values
    except UnicodeDecodeError as error:
        raise FairshotError(
            f"the bytes {error.object!r} are no text in UTF-8: give labels and names as text"
        ) from error


def _class_names(labels: np.ndarray, class_names: np.ndarray | None) -> tuple[str, ...]:
    if class_names is None:
        return tuple(str(label) for label in labels)
    if class_names.ndim != 1:
        raise FairshotError(f"class_names has shape {class_names.shape}: give one name per class")
    if labels.dtype.kind == "U" and set(labels) <= set(class_names):
        return tuple(str(label) for label in labels)  # they are names already, whatever order the table has
    if len(class_names) == len(labels):
        return tuple(str(name) for name in class_names)
    if labels.dtype.kind in "iu" and labels[0] >= 0 and labels[-1] < len(class_names):
        return tuple(str(class_names[label]) for label in labels)
    raise FairshotError(
        f"class_names has {len(class_names)} entries and y {len(labels)} classes: give one name per class"
    )


def _per_class(
    what: str, values: np.ndarray | None, class_ids: np.ndarray, names: tuple[str, ...]
) -> tuple[str, ...] | None:
    """One value for each class, from one for each class or one for each row."""
    if values is None:
        return None
    if len(values) == len(names):
        return tuple(str(value) for value in values)
    if len(values) != len(class_ids):
        raise FairshotError(
            f"{what} has {len(values)} entries: give one per class ({len(names)}) or one per row ({len(class_ids)})"
        )
    first = np.unique(class_ids, return_index=True)[1]
    wrong = np.flatnonzero(values != values[first][class_ids])
    if len(wrong):
        name, single = names[class_ids[wrong[0]]], "parent" if what == "parents" else what
        raise FairshotError(f"class '{name}' has more than one {single}: give each class one {single}")
    return tuple(str(value) for value in values[first])


def as_store(X: np.ndarray) -> np.ndarray:
    """Numbers as a Source keeps them: features in 32 bits, images in 8 with the channels first."""
    if X.dtype.kind not in "fiub":
        raise FairshotError(f"X is of type {X.dtype}: give numbers")
    if X.ndim not in (2, 3, 4):
        raise FairshotError(
            f"X has shape {X.shape}: give embeddings (rows, features) or images (rows, height, width[, channels])"
        )
    if X.ndim > 2 and not X.size:
        raise FairshotError(f"X has shape {X.shape}, without a pixel: give images of 1 x 1 pixels or more")
    if X.dtype.kind == "f" and not np.isfinite(X).all():
        row = int(np.flatnonzero(~np.isfinite(X.reshape(len(X), -1)).all(axis=1))[0])
        raise FairshotError(f"X has NaN or infinite values, first in row {row}: remove or repair these rows")
    if X.ndim == 2:
        return np.ascontiguousarray(X, dtype=np.float32)
    return _image_store(X[:, None] if X.ndim == 3 else X)


def _image_store(X: np.ndarray) -> np.ndarray:
    X = _channels_first(X)
    low, high = X.min(), X.max()
    if low >= -ROUNDING and high <= 1 + ROUNDING:
        X = X.clip(0, 1) * 255.0
    elif low < 0 or high > 255 or (X.dtype.kind == "f" and high < 2):  # no grey of 1.4 among 255 was ever meant
        raise FairshotError(f"X has pixel values from {low:g} to {high:g}: give 0 to 255, or fractions from 0 to 1")
    store = np.ascontiguousarray(np.rint(X), dtype=np.uint8)
    return _on_paper(store) if store.shape[1] == 4 else store


def _channels_first(X: np.ndarray) -> np.ndarray:
    for known in ((1, 3), (4,)):  # four is opacity beside colour, unless three or one stand in the other place
        if X.shape[1] in known:
            return X
        if X.shape[3] in known:
            return X.transpose(0, 3, 1, 2)
    raise FairshotError(f"X has shape {X.shape}: images need 1, 3 or 4 channels, first or last")


def _on_paper(store: UInt8[np.ndarray, "row 4 height width"]) -> UInt8[np.ndarray, "row 3 height width"]:
    """As files with transparent places are read."""
    rows = [on_paper(Image.fromarray(row)).convert("RGB") for row in store.transpose(0, 2, 3, 1)]
    return np.ascontiguousarray(np.stack([np.asarray(row) for row in rows]).transpose(0, 3, 1, 2))
