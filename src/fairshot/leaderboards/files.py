"""Whatever holds results from elsewhere becomes a Leaderboard: files, folders, data frames and rows in hand."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fairshot.leaderboards.layouts import episode_scores, inspect_log, lm_eval, mteb, rows
from fairshot.leaderboards.layouts.layout import Columns, check_columns, read_json, read_lines
from fairshot.leaderboards.leaderboard import Leaderboard, Record, make_leaderboard
from fairshot.runtime.errors import FairshotError, alternatives, kind_of
from fairshot.runtime.files import expand, files_below
from fairshot.sources.arrays.frames import is_frame

TABLES = (".csv", ".tsv", ".parquet", ".pq")
ARRAYS = (".npy", ".npz", ".txt")
ENDINGS = (*TABLES, ".jsonl", ".json", ".eval", *ARRAYS)
OF_TOOLS = (".jsonl", ".json", ".eval")
"""What is looked for in folders: tools write these in thousands, and tables are named one by one."""
OWN = "result.json"  # stands in a folder of our own evaluations
IN_HAND = "what was given"


def is_foreign(given: Any) -> bool:
    """Whether something holds results from elsewhere: a file, a folder that is no evaluation's, a frame, rows."""
    if isinstance(given, str | Path):
        path = expand(given)
        if os.path.isdir(path):
            return not (path / OWN).is_file() and any(file.suffix in OF_TOOLS for file in files_below(path))
        return path.suffix.lower() in ENDINGS
    return isinstance(given, Leaderboard) or is_frame(given) or _are_rows(given)


def read_leaderboard(given: Sequence[Any], columns: Columns | None = None) -> Leaderboard:
    """One leaderboard out of everything that was given."""
    columns = check_columns(columns)
    if len(given) == 1 and isinstance(given[0], Leaderboard):
        return given[0]
    records, notes = list[Record](), list[str]()
    for one in given:
        found, more = _read(one, columns)
        records += found
        notes += more
    where = str(given[0]) if len(given) == 1 and isinstance(given[0], str | Path) else IN_HAND
    return make_leaderboard(records, where, tuple(dict.fromkeys(notes)))


def _read(given: Any, columns: Columns) -> tuple[list[Record], list[str]]:
    if is_frame(given):
        return _table(rows.frame_rows(given), "the data frame", columns)
    if _are_rows(given):
        return _table(list(given), "the rows", columns)
    if not isinstance(given, str | Path):
        raise FairshotError(f"cannot compare {kind_of(given)}: give a file of results, a data frame, or rows")
    path = expand(given)
    if os.path.isdir(path):
        return _read_folder(path, columns)
    if not os.path.isfile(path):
        raise FairshotError(f"there is no file {given}: give a file of results that ends in {alternatives(ENDINGS)}")
    return _read_file(path, columns)


def _read_folder(folder: Path, columns: Columns) -> tuple[list[Record], list[str]]:
    """Every file of results below a folder; others in JSON are passed over."""
    records, notes = list[Record](), list[str]()
    for path in files_below(folder):
        if path.suffix.lower() in OF_TOOLS and _of_a_tool(path):
            found, more = _read_file(path, columns)
            records += found
            notes += more
    if not records:
        raise FairshotError(
            f"{folder} holds no results that can be read: give samples_*.jsonl, results of MTEB, or logs of Inspect"
        )
    return records, notes


def _of_a_tool(path: Path) -> bool:
    if path.suffix == ".jsonl":
        return path.name.startswith("samples_")
    if path.suffix == ".json":
        document = read_json(path)
        return any(layout.is_layout(document) for layout in (mteb, inspect_log, lm_eval))
    return True


def _read_file(path: Path, columns: Columns) -> tuple[list[Record], list[str]]:
    ending = path.suffix.lower()
    if ending in TABLES:
        read = rows.read_csv if ending in (".csv", ".tsv") else rows.read_parquet
        return _table(read(path), str(path), columns)
    if ending == ".jsonl":
        lines = read_lines(path)
        return (
            lm_eval.to_records(lines, path, columns) if lm_eval.is_layout(lines) else _table(lines, str(path), columns)
        )
    if ending == ".eval":
        return inspect_log.to_records(inspect_log.read_archive(path), path, columns)
    if ending == ".json":
        return _document(read_json(path), path, columns)
    return episode_scores.to_records(episode_scores.read_arrays(path), str(path)), [episode_scores.NOTE]


def _document(document: Any, path: Path, columns: Columns) -> tuple[list[Record], list[str]]:
    if inspect_log.is_layout(document):
        return inspect_log.to_records(document, path, columns)
    if mteb.is_layout(document):
        return mteb.to_records(document, path, columns), []
    if lm_eval.is_layout(document):
        return lm_eval.to_records(document, path, columns)
    if _are_rows(document):
        return _table(document, str(path), columns)
    if episode_scores.are_arrays(document):
        return episode_scores.to_records(document, str(path)), [episode_scores.NOTE]
    raise FairshotError(
        f"{path} is no result that can be read: give rows of method, item and score, lists of scores by method, a "
        "result of MTEB or a log of Inspect"
    )


def _table(table: list[Any], where: str, columns: Columns) -> tuple[list[Record], list[str]]:
    """Rows of records, or a column of scores for each method."""
    if not table or rows.are_rows(list(table[0]), columns):
        return rows.to_records(table, where, columns), []
    return episode_scores.to_records(episode_scores.numeric_columns(table, where), where), [episode_scores.NOTE]


def _are_rows(given: Any) -> bool:
    return isinstance(given, list | tuple) and bool(given) and all(isinstance(row, Mapping) for row in given)
