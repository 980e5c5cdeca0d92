"""Arrays: embeddings or images with labels, from a file or straight from Python."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from jaxtyping import Float32, UInt8
from PIL import Image

from fairshot.runtime.errors import FairshotError, kind_of, unknown
from fairshot.runtime.fingerprints import hash_rows
from fairshot.sources.arrays.columns import ATTRIBUTE, SPLIT, Settings
from fairshot.sources.arrays.files import read_file
from fairshot.sources.arrays.frames import is_frame, read_frame
from fairshot.sources.folder import ROUNDING, on_paper
from fairshot.sources.images.part_folders import doubled_classes
from fairshot.sources.pool_and_test import OFFICIAL_TEST, split_marks
from fairshot.sources.source import MADE_OF, Source
from fairshot.sources.table import from_rows, is_rows

ORIGIN = "origin"  # names the images that vectors were made of, so that several encoders can be compared by item
KEYS = ("X", "y", "parents", "groups", "class_names", MADE_OF)


def load(path: str) -> Source:
    """A file with X and y; if wanted parents and made_of (per class or image), groups (per image), class_names.

    `attribute.NAME` holds an attribute of each image: numbers or words; `origin` names the images that vectors
    were made of. See docs/data.md for the kinds of files.
    """
    file = read_file(path)
    source = _from_mapping(file.arrays, file.name)
    origin = file.arrays.get(ORIGIN)
    if origin is not None and origin.shape == () and origin.dtype.kind == "U":
        source = replace(source, before_recipe=str(origin), root=str(origin))
    return replace(source, notes=(*file.notes, *source.notes))


def read_arrays(path: str, needed: tuple[str, ...]) -> dict[str, np.ndarray]:
    """Every array in a file by name; nothing in it can be code."""
    return read_file(path, needed).arrays


def as_source(data: Any, *, name: str = "array", label: str | None = None) -> Source:
    """A Source of what Python has in hand: (X, y), a mapping with X and y, a data frame, a Hugging Face data set, or a
    Source as it is.

    Arrays may be tensors of torch. `label` names the column of labels of a data frame, if it is not label, class or y.
    """
    if isinstance(data, Source):
        return data
    if is_rows(data):
        return from_rows(data)
    if is_frame(data):
        arrays, notes = read_frame(data, Settings({} if label is None else {"label": label}))
        return replace(_from_mapping(arrays, name), notes=tuple(notes))
    if isinstance(data, Mapping):
        return _from_mapping(_known_arrays(data), name)
    if isinstance(data, tuple | list) and len(data) == 2:
        return from_arrays(data[0], data[1], name=name)
    kind = f"{kind_of(data)} of {len(data)}" if isinstance(data, tuple | list) else kind_of(data)
    raise FairshotError(
        f"cannot read {kind} as data: give (X, y), a mapping with X and y, a data frame with a column label, or a "
        "Source"
    )


def _known_arrays(data: Mapping[Any, Any]) -> Mapping[str, Any]:
    for key in data:
        if key not in KEYS and not str(key).startswith(ATTRIBUTE):
            raise unknown("array", str(key), [*KEYS, f"{ATTRIBUTE}NAME"])
    if not {"X", "y"} <= set(data):
        raise FairshotError(f"the mapping holds {', '.join(sorted(map(str, data))) or 'nothing'}: it needs X and y")
    return data


def _from_mapping(arrays: Mapping[str, Any], name: str) -> Source:
    attributes = {key.removeprefix(ATTRIBUTE): arrays[key] for key in arrays if key.startswith(ATTRIBUTE)}
    others = {key: arrays[key] for key in KEYS[2:] if key in arrays}
    return from_arrays(arrays["X"], arrays["y"], name=name, attributes=attributes, **others)


def from_arrays(
    X: Any,
    y: Any,
    *,
    name: str = "array",
    parents: Any = None,
    groups: Any = None,
    class_names: Any = None,
    attributes: Mapping[str, Any] | None = None,
    made_of: Any = None,
) -> Source:
    """A Source of embeddings [image, feature] or images [image, height, width] or with channels, first or last.

    Classes with the same `made_of` are made of one another and count as one class in intervals.
    """
    X, y, parents, class_names = (
        as_array(X, "X"),
        _text(y, "y"),
        _text(parents, "parents"),
        _text(class_names, "class_names"),
    )
    _refuse_labels(X, y)
    labels, class_ids = np.unique(y, return_inverse=True)
    names = _class_names(labels, class_names)
    store = as_store(X)
    source = Source.create(
        name,
        store,
        class_ids,
        class_names=names,
        parents=_per_class("parents", parents, class_ids, names),
        attributes=_attributes(attributes or {}, groups, len(y)),
        class_attributes=None if made_of is None else {MADE_OF: _originals(_text(made_of, MADE_OF), class_ids, names)},
    )
    return replace(source, notes=_doubled(store, class_ids, names))


def _refuse_labels(X: np.ndarray, y: np.ndarray) -> None:
    """Raises unless there is one label, a whole number or a word, for each row."""
    rows = len(X) if X.ndim else 0
    if y.ndim != 1 or rows != len(y):
        raise FairshotError(f"X has {rows} rows and y has shape {y.shape}: give one label per row")
    if len(y) == 0:
        raise FairshotError("X and y are empty: give at least two classes with some images each")
    if y.dtype.kind not in "iuUSb":
        raise FairshotError(f"y is of type {y.dtype}: give labels as integers or strings")


def _attributes(attributes: Mapping[str, Any], groups: Any, rows: int) -> dict[str, np.ndarray]:
    numbers = {key: _numbers(f"attribute {key}", values, rows) for key, values in attributes.items()}
    if SPLIT in attributes and (marks := split_marks(_text(attributes[SPLIT], SPLIT))) is not None:
        numbers[OFFICIAL_TEST] = marks
    if groups is not None:
        groups = _text(groups, "groups")
        if groups.shape != (rows,):
            entries = f"{len(groups)} entries" if groups.ndim == 1 else f"shape {groups.shape}"
            raise FairshotError(f"groups has {entries} and y {rows}: give one group per row")
        numbers["group"] = np.unique(groups, return_inverse=True)[1]
    return numbers


def as_array(values: Any, what: str) -> np.ndarray:
    """Values as an array, also those of a torch tensor with gradients, on another device or in 16 bits."""
    if not hasattr(values, "detach"):
        try:
            return np.asarray(values)
        except ValueError as error:
            raise FairshotError(f"{what} has rows of different lengths: give every row the same length") from error
    tensor = values.detach().cpu()
    return (tensor.float() if "bfloat16" in str(tensor.dtype) else tensor).numpy()


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
    values = _text(values, what)
    if values.shape != (rows,) or values.dtype.kind not in "iubUS":
        raise FairshotError(
            f"{what} is of type {values.dtype} and shape {values.shape}: give a whole number or a word for each of the "
            f"{rows} rows"
        )
    if values.dtype.kind in "iub" and values.min() >= 0:
        return values.astype(np.int64)
    return np.unique(values, return_inverse=True)[1]


def _text(values: Any, what: str) -> Any:
    """As an array, byte strings as text, Python objects as what they are; nothing stays nothing."""
    if values is None:
        return None
    values = as_array(values, what)
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
    if values.ndim != 1:
        raise FairshotError(f"{what} has shape {values.shape}: give one per class or one per row")
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
    if not len(X):
        raise FairshotError(f"X has shape {X.shape}, without a row: give a row for each item")
    if X.ndim == 2 and not X.size:
        raise FairshotError(f"X has shape {X.shape}, without a feature: give a column for each feature")
    if X.ndim > 2 and not X.size:
        raise FairshotError(f"X has shape {X.shape}, without a pixel: give images of 1 x 1 pixels or more")
    if X.dtype.kind == "f" and not np.isfinite(X).all():
        row = int(np.flatnonzero(~np.isfinite(X.reshape(len(X), -1)).all(axis=1))[0])
        raise FairshotError(f"X has NaN or infinite values, first in row {row}: remove or repair these rows")
    if X.ndim == 2:
        return _feature_store(X)
    return _image_store(X[:, None] if X.ndim == 3 else X)


def _feature_store(X: np.ndarray) -> Float32[np.ndarray, "row feature"]:
    with np.errstate(over="ignore"):
        store = np.ascontiguousarray(X, dtype=np.float32)
    if store.dtype != X.dtype and not np.isfinite(store).all():
        row = int(np.flatnonzero(~np.isfinite(store).all(axis=1))[0])
        raise FairshotError(f"X has values too large for 32 bits, first in row {row}: scale the features down")
    return store


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
