"""Rows of (method, item, score, and if they like class, group, run, data set) in CSV, Parquet, JSON or data frames."""

import csv
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fairshot.leaderboards.layouts.layout import Columns, as_number
from fairshot.leaderboards.leaderboard import Record
from fairshot.runtime.errors import FairshotError, unknown
from fairshot.runtime.parquet import parquet_library, readable_parquet

# A row without an item is the score of a whole data set.
USUAL: dict[str, tuple[str, ...]] = {
    "method": ("method", "model", "learner", "system", "model_name"),
    "item": ("item", "item_id", "id", "doc_id", "sample_id", "question_id", "example_id", "image", "episode"),
    "score": ("score", "correct", "is_correct", "accuracy", "acc", "exact_match", "value"),
    "class": ("class", "label", "category", "subject"),
    "group": ("group", "cluster", "document", "passage"),
    "run": ("run", "seed"),
    "dataset": ("dataset", "data_set", "data set", "benchmark", "task"),
}
"""The names of columns that are known by themselves, for each thing that a row says."""
NEEDED = ("method", "item", "score")
FIELDS = {"class": "label", "dataset": "data_set"}
EPISODE = "episode"

Rows = Sequence[Mapping[str, Any]]


def are_rows(names: Sequence[str], columns: Columns) -> bool:
    """Whether columns of these names say which method scored what."""
    lower = [str(name).strip().lower() for name in names]
    return "method" in columns or any(name in lower for name in USUAL["method"])


def to_records(rows: Rows, where: str, columns: Columns) -> list[Record]:
    """The records that rows hold."""
    if not rows:
        raise FairshotError(f"{where} has no rows: give a row for each method and item")
    chosen = _choose([str(name) for name in rows[0]], where, columns)
    if "item" not in chosen and "dataset" not in chosen:
        raise _lacking("item", list(rows[0]), where)
    unit = "episodes" if chosen.get("item", "").strip().lower() == EPISODE else "items"
    records = []
    for number, row in enumerate(rows, 1):
        words = {FIELDS.get(what, what): _word(row.get(name)) for what, name in chosen.items() if what != "score"}
        score = as_number(row.get(chosen["score"]))
        if score is None or math.isnan(score):
            raise FairshotError(
                f"row {number} of {where} has {row.get(chosen['score'])!r} in column '{chosen['score']}': give a "
                "number, true or false"
            )
        for what in NEEDED[:2]:
            if what in chosen and not words[what]:
                raise FairshotError(f"row {number} of {where} has no value in column '{chosen[what]}': fill it in")
        records.append(Record(**{"item": "", "score": score, "unit": unit, **words}))  # type: ignore[arg-type]  # names are those of fields
    return records


def _choose(names: Sequence[str], where: str, columns: Columns) -> dict[str, str]:
    """Which column is what: those that were named, and those that are known by their names."""
    chosen = {}
    for what, usual in USUAL.items():
        if what in columns:
            if columns[what] not in names:
                raise unknown(f"column of {where}", columns[what], names)
            chosen[what] = columns[what]
            continue
        likely = [name for name in names if name.strip().lower() in usual and name not in columns.values()]
        if len(likely) > 1 and what in NEEDED and likely[0].strip().lower() != what:
            raise FairshotError(
                f"{where} has the columns {' and '.join(likely)}: say which is the {what}, {what}=COLUMN"
            )
        exact = [name for name in likely if name.strip().lower() == what]
        if likely:
            chosen[what] = (exact or likely)[0]
        elif what in NEEDED and what != "item":
            raise _lacking(what, names, where)
    return chosen


def _lacking(what: str, names: Sequence[str], where: str) -> FairshotError:
    shown = ", ".join(map(str, names[:8]))
    return FairshotError(
        f"{where} has no column {what}, but {shown}: call it {what}, or say which it is, {what}=COLUMN"
    )


def _word(value: Any) -> str:
    return "" if value is None or value != value else str(value).strip()


def read_csv(path: Path) -> list[dict[str, str]]:
    """The rows of a table of comma-separated values, with tabs in a .tsv file."""
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            reader = csv.DictReader(file, delimiter="\t" if path.suffix.lower() == ".tsv" else ",", strict=True)
            rows = []
            for row in reader:
                if None in row or None in row.values():
                    raise FairshotError(
                        f"line {reader.line_num} of {path} has not a value for each of its "
                        f"{len(reader.fieldnames or [])} columns: mend it"
                    )
                rows.append(row)
            return rows
    except UnicodeDecodeError as error:
        raise FairshotError(f"{path} is no text in UTF-8: save it as CSV in UTF-8") from error
    except csv.Error as error:
        raise FairshotError(f"cannot read {path} as CSV ({error}): save it as a plain table") from error


def read_parquet(path: Path) -> list[dict[str, Any]]:
    """The rows of a Parquet file."""
    with readable_parquet(path, ", or save the table as CSV"):
        return parquet_library().read_table(path).to_pylist()


def frame_rows(frame: Any) -> list[dict[str, Any]]:
    """The rows of a data frame, of whatever library."""
    names = [str(name) for name in frame.columns]
    values = [list(frame[name]) for name in frame.columns]
    return [dict(zip(names, row, strict=True)) for row in zip(*values, strict=True)]
