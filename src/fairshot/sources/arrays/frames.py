"""A table of features with typed columns: a data frame in memory, or a Parquet file."""

import importlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Shaped

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.parquet import parquet_library, readable_parquet
from fairshot.sources.arrays.collection import Collection
from fairshot.sources.arrays.columns import FRAME, Columns, Settings, choose_columns, left_out, running_numbers

CHUNK = 4096  # rows of a Parquet file taken together

Arrays = dict[str, np.ndarray]
Batch = Mapping[str, np.ndarray]
"""Some rows, column by column."""


def is_frame(data: object) -> bool:
    """Whether an object is a data frame, of whatever library."""
    return hasattr(data, "columns") and hasattr(data, "shape") and hasattr(data, "__getitem__")


def read_frame(frame: Any, settings: Settings, *, where: str = FRAME) -> tuple[Arrays, list[str]]:
    """The arrays of a data frame, and notes on columns that were left out."""
    names = [str(name) for name in frame.columns]
    columns = choose_columns(names, settings, where)
    batch = {name: np.asarray(frame[own]) for name, own in zip(names, frame.columns, strict=True)}
    return _collect(iter([batch] if len(frame) else []), columns, where)


def read_parquet(path: Path, settings: Settings, *, labelled: bool = True) -> tuple[Arrays, list[str]]:
    """The arrays of a Parquet file, and notes on columns that were left out."""
    with readable_parquet(path, ", or save the table as CSV"):
        names, batches = _open_parquet(path)
        columns = choose_columns(names, settings, str(path), labelled=labelled)
        return _collect(batches, columns, str(path))


def _open_parquet(path: Path) -> tuple[list[str], Iterator[Batch]]:
    """The names of the columns, and some rows at a time; without pyarrow what pandas reads, in one piece."""
    try:
        file = parquet_library().ParquetFile(path)
    except ImportError:
        frame = importlib.import_module("pandas").read_parquet(path)
        names = [str(name) for name in frame.columns]
        return names, iter([{name: np.asarray(frame[name]) for name in names}] if len(frame) else [])
    names = list(file.schema_arrow.names)
    return names, ({name: _decoded(batch.column(name)) for name in names} for batch in file.iter_batches(CHUNK))


def _decoded(column: Any) -> np.ndarray:
    column = column.dictionary_decode() if hasattr(column, "dictionary_decode") else column
    return column.to_numpy(zero_copy_only=False)


def _collect(batches: Iterator[Batch], columns: Columns, where: str) -> tuple[Arrays, list[str]]:
    collection, notes = Collection(), list[str]()
    for batch in batches:
        if not collection.rows:
            text = [name for name in columns.features if _is_text(batch[name], name, where)]
            notes = left_out(text, columns, where)
            numeric = [name for name in columns.features if name not in text]
        blocks = [_block(batch[name], name, where, collection.rows) for name in numeric]
        words = {key: _words(batch[name], name, where, collection.rows) for key, name in columns.words.items()}
        _refuse_ragged(blocks, collection, where)
        collection.add(np.concatenate(blocks, axis=1), words)
    if not collection.rows:
        raise FairshotError(f"{where} has columns and no row: give a row for each item")
    arrays = collection.arrays()
    return arrays, [*notes, *running_numbers(arrays["X"], numeric, columns, where)]


def _is_text(values: np.ndarray, name: str, where: str) -> bool:
    """Whether a column cannot be a feature: words, dates; lists of numbers are many features."""
    if values.dtype.kind != "O":
        return values.dtype.kind not in "fiub"
    number = [isinstance(value, int | float | np.number | list | np.ndarray) for value in values]
    if any(number) and not all(number):
        row = number.index(not number[0])
        raise FairshotError(
            f"column '{name}' of {where} has {values[0]!r} in row 0 and {values[row]!r} in row {row}: give numbers in "
            "all rows, or leave the column out"
        )
    return not all(number)


def _block(values: np.ndarray, name: str, where: str, before: int) -> Shaped[np.ndarray, "row feature"]:
    """A column as one feature, or a column of lists as many."""
    if values.dtype.kind != "O":
        return values[:, None]
    rows = [np.atleast_1d(np.asarray(value, dtype=np.float64)) for value in values]
    for number, row in enumerate(rows):
        if row.shape != rows[0].shape:
            raise FairshotError(
                f"column '{name}' of {where} has {len(row)} numbers in row {before + number} and {len(rows[0])} in row "
                f"{before}: give the same number in every row"
            )
    return np.stack(rows)


def _refuse_ragged(blocks: Sequence[np.ndarray], collection: Collection, where: str) -> None:
    width = sum(block.shape[1] for block in blocks)
    if collection.rows and width != collection.features.shape[1]:
        raise FairshotError(
            f"row {collection.rows} of {where} has {width} numbers and the rows before it "
            f"{collection.features.shape[1]}: give the same number in every row"
        )


def _words(values: np.ndarray, name: str, where: str, before: int) -> list[Any]:
    words = values.tolist()
    for number, word in enumerate(words):
        if word is None or word != word:  # what is missing is no equal of itself
            raise FairshotError(
                f"row {before + number} of {where} has no value in column '{name}': fill it in, or remove the row"
            )
    return words
