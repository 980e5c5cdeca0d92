"""Words to the data of a probe: a pool and a test set, by name, in hand, or inside one source; class vectors."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from jaxtyping import Float

from fairshot.runtime.errors import FairshotError, unknown
from fairshot.runtime.files import expand
from fairshot.sources.array import as_array, read_arrays
from fairshot.sources.pool_and_test import PoolAndTest, join_pool_and_test, split_officially
from fairshot.sources.source import Source
from fairshot.specs.data import as_part
from fairshot.tables.words import count_of

if TYPE_CHECKING:
    from fairshot.learners.learner import Classifier

FOLDER = "folder:"
ClassVectors = Float[np.ndarray, "class feature"]


def as_pool_and_test(
    data: Any, test: Any = None, *, learners: Sequence["Classifier"] = (), **reading: Any
) -> PoolAndTest:
    """A pool and a test set: two of whatever stands for data, one that says which images are for testing, or a folder
    with train and test inside.
    """
    if isinstance(data, PoolAndTest):
        return data
    if test is None and (parts := _part_folders(data)):
        data, test = parts
    pool = as_part(data, **reading, learners=learners)[0]
    if test is None:
        return split_officially(pool)
    return join_pool_and_test(pool, as_part(test, **reading, learners=learners)[0])


def _part_folders(data: Any) -> tuple[str, str] | None:
    """The folders train and test below a folder, if there are just such."""
    if not isinstance(data, str | Path):
        return None
    path = str(data).removeprefix(FOLDER)
    root = expand(path)
    if not root.is_dir():
        return None
    named = {below.name.casefold(): below for below in root.iterdir() if below.is_dir()}
    train = named.get("train") or named.get("training")
    test = named.get("test") or named.get("testing")
    return (f"{FOLDER}{train}", f"{FOLDER}{test}") if train and test else None


def choose_classes(data: PoolAndTest, names: Sequence[str]) -> PoolAndTest:
    """The same with some of the classes."""
    known = {data.pool.class_names[c]: int(c) for c in data.pool.classes}
    for name in names:
        if name not in known:
            raise unknown("class of the pool", name, known)
    chosen = np.array(sorted({known[name] for name in names}))
    if len(chosen) < 2:
        raise FairshotError(f"{count_of(len(chosen), 'class')} was chosen: choose at least two")
    return _select(data, chosen)


def without_small_classes(data: PoolAndTest, shot: int) -> PoolAndTest:
    """The same without classes that have fewer pool images than shots, with a note."""
    large = data.pool.classes[data.pool.members.counts >= shot]
    small = len(data.pool.classes) - len(large)
    if not small:
        return data
    if len(large) < 2:
        raise FairshotError(f"{count_of(len(large), 'class')} of the pool have {shot} images: ask for fewer shots")
    note = f"{count_of(small, 'class')} with fewer than {shot} pool images left out"
    chosen = _select(data, large)
    return PoolAndTest(chosen.source, chosen.pool, chosen.test, (*chosen.notes, note))


def _select(data: PoolAndTest, classes: np.ndarray) -> PoolAndTest:
    pool, test = data.pool.select_classes(classes), data.test.select_classes(classes)
    return PoolAndTest(data.source, pool, test, data.notes)


def as_class_vectors(given: Any, pool: Source) -> ClassVectors | None:
    """A vector for each class of the pool: a file with X and y, a mapping by name, or rows in the order of classes."""
    if given is None:
        return None
    names = [pool.class_names[c] for c in pool.classes]
    if isinstance(given, str | Path):
        arrays = read_arrays(str(given).removeprefix("array:"), ("X",))
        given = dict(zip(map(str, arrays["y"]), arrays["X"], strict=True)) if "y" in arrays else arrays["X"]
    if isinstance(given, Mapping):
        for name in names:
            if name not in given:
                raise unknown("class among the class vectors", name, map(str, given))
        given = [as_array(given[name], "a class vector") for name in names]
    vectors = as_array(given, "class_vectors").astype(np.float32)
    if vectors.ndim != 2 or len(vectors) != len(names) or not np.isfinite(vectors).all():
        raise FairshotError(
            f"class_vectors has shape {vectors.shape} for {len(names)} classes: give a finite vector for each class"
        )
    return vectors
