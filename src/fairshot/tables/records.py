"""Tables as plain values in named columns, numbers in full: what comma-separated values and data frames are made of."""

from collections.abc import Sequence
from dataclasses import dataclass

from fairshot.tables.table import Cell, Quantity, Table

Value = str | bool | int | float | None
BESIDE = ("low", "high", "deviation", "bound")
"""What a number can have beside its value: `accuracy.low` is a column where one of the numbers has that end."""


@dataclass(frozen=True)
class Records:
    """Rows of plain values under distinct names."""

    names: list[str]
    rows: list[list[Value]]


def to_records(table: Table) -> Records:
    """Every number in full, its interval in columns beside it; a column of intervals alone has ends only."""
    columns: dict[str, list[Value]] = {}
    for place, name in enumerate(_distinct([column.name for column in table.columns])):
        cells = [row[place] for row in table.rows]
        beside = {f"{name}.{field}": [_field(cell, field) for cell in cells] for field in BESIDE}
        beside = {title: values for title, values in beside.items() if any(value is not None for value in values)}
        values = [cell.value if isinstance(cell, Quantity) else cell for cell in cells]
        if any(value is not None for value in values) or not beside:
            columns[name] = values
        columns |= beside
    rows = [[values[number] for values in columns.values()] for number in range(len(table.rows))]
    return Records(list(columns), rows)


def _field(cell: Cell, field: str) -> Value:
    found: Value = getattr(cell, field) if isinstance(cell, Quantity) else None
    return None if found == "" else found


def _distinct(names: Sequence[str]) -> list[str]:
    """The names, with a number behind those that were there before: `published`, `published (2)`."""
    return [
        name if name not in names[:place] else f"{name} ({names[:place].count(name) + 1})"
        for place, name in enumerate(names)
    ]
