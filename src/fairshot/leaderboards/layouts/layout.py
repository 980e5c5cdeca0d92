"""A Layout: one way in which scores are written down, and what of it may be chosen by the names of its columns."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fairshot.runtime.errors import FairshotError, unknown

COLUMNS = ("method", "item", "score", "class", "group", "run", "dataset")
CHOICES = (*COLUMNS, "metric", "filter", "scorer", "split")
"""What a person may say of the columns; the last four are for logs that hold several scores of an item."""

Columns = Mapping[str, str]


def check_columns(columns: Columns | None) -> Columns:
    """The columns by what they hold; raises for what no layout knows."""
    for name, column in (columns or {}).items():
        if name not in CHOICES:
            raise unknown("column to be named", name, CHOICES)
        if not isinstance(column, str) or not column:
            raise FairshotError(f"the column for {name} has no name: write {name}=COLUMN")
    return columns or {}


def read_json(path: Path) -> Any:
    """What a file in JSON holds."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise FairshotError(
            f"cannot read {path} as JSON ({error}): give a file of results as its tool wrote it"
        ) from error


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The objects of a file that has one in each line."""
    rows = []
    try:
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    rows.append(json.loads(line))
                    if not isinstance(rows[-1], dict):
                        raise FairshotError(f"line {number} of {path} is no JSON object: give one in each line")
    except (OSError, ValueError) as error:
        raise FairshotError(f"cannot read {path} as lines of JSON ({error}): give one object in each line") from error
    return rows


def lookup(record: Mapping[str, Any], name: str, where: str) -> str:
    """A field by its name, with dots where it lies inside others: `doc.subject`."""
    value: Any = record
    for word in name.split("."):
        if not isinstance(value, Mapping) or word not in value:
            known = value if isinstance(value, Mapping) else {}
            raise unknown(f"field of {where}", name, [str(key) for key in known])
        value = value[word]
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True)


def as_number(value: Any) -> float | None:
    """A score as a number; None for what is none."""
    if isinstance(value, bool | int | float):
        return float(value)
    if isinstance(value, str):
        truth = {"true": 1.0, "false": 0.0}.get(value.strip().lower())
        try:
            return float(value) if truth is None else truth
        except ValueError:
            return None
    return as_number(value.item()) if hasattr(value, "item") else None
