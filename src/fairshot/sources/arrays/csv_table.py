"""A table of features as comma-separated values: a line of column names, then a line for each item."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fairshot.runtime.errors import FairshotError
from fairshot.sources.arrays.collection import Collection
from fairshot.sources.arrays.columns import Columns, Settings, choose_columns, left_out, running_numbers

CELLS = 1 << 16  # taken together as text: some megabytes beside the features
TRUTH = {"True": 1.0, "False": 0.0}  # as data frames write truth values
DIGITS = 18  # of whole numbers that surely fit 64 bits

Arrays = dict[str, np.ndarray]


def read_csv(path: Path, settings: Settings, *, labelled: bool = True) -> tuple[Arrays, list[str]]:
    """The arrays of a table (with tabs in a .tsv file), and notes on columns that were left out."""
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            lines = csv.reader(file, delimiter="\t" if path.suffix.lower() == ".tsv" else ",", strict=True)
            return _read_lines(lines, path, settings, labelled)
    except UnicodeDecodeError as error:
        raise FairshotError(f"{path} is no text in UTF-8: save it as CSV in UTF-8") from error
    except csv.Error as error:
        raise FairshotError(f"cannot read {path} as CSV ({error}): save it as a plain table") from error


def _read_lines(lines: Any, path: Path, settings: Settings, labelled: bool) -> tuple[Arrays, list[str]]:
    names = [name.strip() for name in next(lines, [])]
    if not any(names):
        raise FairshotError(f"{path} is empty: give a line of column names, then a line for each item")
    columns = choose_columns(names, settings, str(path), labelled=labelled)
    chunks = _chunks(lines, len(names), path)
    chunk = next(chunks, None)
    if chunk is None:
        raise FairshotError(f"{path} has column names and nothing below them: give a line for each item")
    first = dict(zip(names, chunk.rows[0], strict=True))
    text = [name for name in columns.features if _number(first[name]) is None]
    notes = left_out(text, columns, str(path))
    table, collection = _Table(path, names, columns, frozenset(text)), Collection()
    while chunk is not None:
        table.add(chunk, collection)
        chunk = next(chunks, None)
    arrays = collection.arrays()
    numeric = [name for name in columns.features if name not in text]
    notes += running_numbers(arrays["X"], numeric, columns, str(path))
    return arrays | {key: _typed(arrays[key]) for key in columns.words}, notes


@dataclass(frozen=True)
class _Chunk:
    """Some rows, with the line that each of them ends on."""

    lines: list[int]
    rows: list[list[str]]


def _chunks(lines: Any, width: int, path: Path) -> Iterator[_Chunk]:
    """All rows, some at a time; empty lines are passed over, ragged ones raise."""
    chunk = _Chunk([], [])
    for row in lines:
        if not row:
            continue
        if len(row) != width:
            raise FairshotError(
                f"line {lines.line_num} of {path} has {len(row)} values for {width} columns: give every line a value "
                "for each column"
            )
        chunk.lines.append(lines.line_num)
        chunk.rows.append(row)
        if len(chunk.rows) * width >= CELLS:
            yield chunk
            chunk = _Chunk([], [])
    if chunk.rows:
        yield chunk


@dataclass(frozen=True)
class _Table:
    """Turns rows of text into numbers and words."""

    path: Path
    names: list[str]
    columns: Columns
    text: frozenset[str]
    """Columns that began with text, and are left out."""

    def add(self, chunk: _Chunk, collection: Collection) -> None:
        place = {name: number for number, name in enumerate(self.names)}
        numeric = [place[name] for name in self.columns.features if name not in self.text]
        try:
            features = np.array([[float(row[at]) for at in numeric] for row in chunk.rows])
        except ValueError:  # truth values, or what is no number at all
            pairs = zip(chunk.rows, chunk.lines, strict=True)
            features = np.array([self._numbers(row, numeric, line) for row, line in pairs])
        for name in self.text:
            self._refuse_numbers(name, [row[place[name]] for row in chunk.rows], chunk.lines)
        words = {key: [row[place[name]].strip() for row in chunk.rows] for key, name in self.columns.words.items()}
        for key, values in words.items():
            if "" in values:
                self._refuse_empty(self.columns.words[key], chunk.lines[values.index("")])
        collection.add(features, words)

    def _numbers(self, row: list[str], numeric: list[int], line: int) -> list[float]:
        values = [_number(row[at]) for at in numeric]
        for at, value in zip(numeric, values, strict=True):
            if value is None and not row[at].strip():
                self._refuse_empty(self.names[at], line)
            if value is None:
                raise FairshotError(
                    f"line {line} of {self.path} has '{row[at]}' in column '{self.names[at]}', which held numbers "
                    f"before: mend it, or leave the column out with {self.path}:ignore={self.names[at]}"
                )
        return [value for value in values if value is not None]

    def _refuse_numbers(self, name: str, cells: list[str], lines: list[int]) -> None:
        """Raises where a column that began with text goes on with numbers: it was meant to be a feature."""
        for cell, line in zip(cells, lines, strict=True):
            if _number(cell) is not None:
                raise FairshotError(
                    f"line {line} of {self.path} has the number {cell.strip()} in column '{name}', which began with "
                    f"text: mend it, or leave the column out with {self.path}:ignore={name}"
                )

    def _refuse_empty(self, name: str, line: int) -> None:
        raise FairshotError(f"line {line} of {self.path} has no value in column '{name}': fill it in, or remove it")


def _number(cell: str) -> float | None:
    try:
        return float(cell)
    except ValueError:
        return TRUTH.get(cell.strip())


def _typed(words: np.ndarray) -> np.ndarray:
    """Words as whole numbers if all of them are, written as numbers are; 007 stays a name."""
    kinds = np.unique(words).tolist()
    return words.astype(np.int64) if all(_whole(word) for word in kinds) else words


def _whole(word: str) -> bool:
    digits = word.removeprefix("-")
    return digits.isascii() and digits.isdecimal() and len(digits) <= DIGITS and str(int(word)) == word
