"""Files of draws: ours to be used by other tools, and those of other people.

Ours is a table in CSV with a line for each labelled image: draw, row (of the pool, from 0 on), class, and a hash of the
image's content. Read are this table (class and content may be missing), JSON (a list of rows for each draw, or an
object with one list for each seed), and arrays of rows, .npy.
"""

import csv
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.files import complete_file, require_ending
from fairshot.runtime.fingerprints import hash_rows
from fairshot.runtime.visible_text import spreadsheet_text
from fairshot.sources.source import Source
from fairshot.tasks.support_draws import SupportDraws, draws_from_rows

COLUMNS = ("draw", "row", "class", "content")
ENDINGS = (".csv", ".json", ".npy")


def write_draws(draws: SupportDraws, path: Path) -> None:
    """Writes the table, whole or not at all."""
    require_ending(path, (".csv",), "a table in CSV")
    pool = draws.pool
    rows = pool.rows(draws.image_ids)
    used = np.unique(rows)
    contents = dict(zip(used.tolist(), hash_rows(pool.read(used)).tolist(), strict=True))
    with complete_file(path) as unfinished, unfinished.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for number, draw in enumerate(rows):
            for row in draw.ravel().tolist():
                name = spreadsheet_text(pool.class_names[pool.class_ids[row]])
                writer.writerow([number, row, name, f"{contents[row] & (1 << 64) - 1:016x}"])


def read_draws(path: Path, pool: Source) -> SupportDraws:
    """The draws in a file, which must fit the pool."""
    require_ending(path, ENDINGS, "a file of draws")
    try:
        draws = {".csv": _read_table, ".json": _read_json, ".npy": _read_array}[path.suffix.lower()](path, pool)
    except FileNotFoundError as error:
        raise FairshotError(f"there is no file of draws {path}: write one with export_draws") from error
    except (ValueError, KeyError, TypeError, OSError, EOFError, csv.Error, RecursionError) as error:
        raise FairshotError(
            f"{path} is no file of draws: give a table with the columns draw and row, or a list of rows for each draw"
        ) from error
    if not draws or not all(len(rows) for rows in draws):
        raise FairshotError(f"{path} holds a draw without rows: give at least one row of each class")
    return draws_from_rows(pool, draws, str(path))


def _read_table(path: Path, pool: Source) -> list[list[int]]:
    with path.open(newline="") as file:
        lines = list(csv.DictReader(file))
    draws: dict[str, list[int]] = {}
    for line in lines:
        draws.setdefault(line["draw"], []).append(int(line["row"]))
    if lines and lines[0].get("content"):
        _refuse_other_content(lines, pool, path)
    return list(draws.values())


def _refuse_other_content(lines: Sequence[dict[str, Any]], pool: Source, path: Path) -> None:
    wanted = {int(line["row"]): line["content"] for line in lines if int(line["row"]) < len(pool)}
    rows = np.array(sorted(wanted))
    for row, content in zip(rows.tolist(), hash_rows(pool.read(rows)).tolist(), strict=True):
        if f"{content & (1 << 64) - 1:016x}" != wanted[row]:
            raise FairshotError(
                f"row {row} of {path} is another image than row {row} of {pool.name}: use the same data in the same "
                "order and preparation"
            )


def _read_json(path: Path, pool: Source) -> list[list[int]]:
    content = json.loads(path.read_text())
    draws = list(content.values()) if isinstance(content, dict) else content
    return [[int(row) for row in draw] for draw in draws]


def _read_array(path: Path, pool: Source) -> list[list[int]]:
    table = np.load(path, allow_pickle=False)
    if table.ndim != 2 or table.dtype.kind not in "iu":
        raise ValueError("rows of draws are whole numbers")
    rows: list[list[int]] = table.tolist()
    return rows
