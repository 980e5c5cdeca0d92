"""Numbers as readers see them: percent, points, signs, intervals, digits. Nothing else in the package formats them."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fairshot.runtime.visible_text import visible
from fairshot.tables.table import Cell, Quantity, Table

MISSING = "N/A"
NOTHING = "-"  # where only an interval is asked for, and there is none
NO_INTERVAL = "[none]"
QUOTED = "*"
DIGITS = {"share": 1, "points": 1, "count": 0}
USUAL_DIGITS = 2
SMALLEST_P = 1e-3  # below this, only the order of magnitude is told
SUFFIXES = {"share": "%", "points": "points"}
MOST_REASONS = 4  # why numbers are missing, below one table


@dataclass(frozen=True)
class Shown:
    """A table in words: headings with units, and every cell as text."""

    headings: list[str]
    rows: list[list[str]]
    numeric: list[bool]
    """For each column whether it holds numbers only, which must not be cut and stand on the right."""
    strong: list[bool]
    code: list[bool]


def show_table(table: Table) -> Shown:
    """All cells of a table in words; a unit that a whole column shares stands in its heading."""
    columns = [[row[place] for row in table.rows] for place in range(len(table.columns))]
    suffixes = [_shared_suffix(cells) for cells in columns]
    headings = [
        visible(column.name) + (f", {suffix}" if suffix and column.unit_in_heading else "")
        for column, suffix in zip(table.columns, suffixes, strict=True)
    ]
    rows = [
        [show_cell(cell, with_unit=not suffix) for cell, suffix in zip(row, suffixes, strict=True)]
        for row in table.rows
    ]
    numeric = [
        any(_is_number(cell) for cell in cells) and not any(_is_text(cell) for cell in cells) for cells in columns
    ]
    strong, code = [column.strong for column in table.columns], [column.code for column in table.columns]
    return Shown(headings, rows, numeric, strong, code)


def show_cell(cell: Cell, *, with_unit: bool = True) -> str:
    """One cell in words; a unit is left away where the heading says it."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, str):
        return visible(cell)
    if isinstance(cell, int):
        return f"{cell:,}"
    return show_quantity(cell if isinstance(cell, Quantity) else Quantity(value=cell), with_unit=with_unit)


def show_quantity(quantity: Quantity, *, with_unit: bool = True) -> str:
    """A number with its interval: `95.6% [94.9, 96.1]*`, `+1.3`, `5.00 ± 0.31`, `[94.9, 96.1]`, `N/A`."""
    interval = _interval(quantity)
    if quantity.value is None or math.isnan(quantity.value):
        missing = NOTHING if quantity.population else MISSING
        return f"{interval}{QUOTED if quantity.quoted else ''}" if interval else missing
    words = [f"{quantity.bound} {_number(quantity.value, quantity)}".strip()]
    if with_unit and quantity.unit in SUFFIXES:
        words[0] += "%" if quantity.unit == "share" else " points"
    if quantity.deviation is not None:
        words.append(f"± {_number(quantity.deviation, quantity, signed=False)}")
    if interval or quantity.why:
        words.append(interval or NO_INTERVAL)
    return " ".join(words) + (QUOTED if interval and quantity.quoted else "") + quantity.mark


def reasons(table: Table) -> Iterator[str]:
    """Why numbers or intervals are missing, each reason once, and how many more there are."""
    quantities = [cell for row in table.rows for cell in row if isinstance(cell, Quantity) and cell.why]
    found = [
        f"{MISSING if quantity.value is None else NO_INTERVAL}: {visible(quantity.why)}"
        for quantity in quantities
        if quantity.value is None or quantity.low is None
    ]
    distinct = list(dict.fromkeys(found))
    yield from distinct[:MOST_REASONS]
    if len(distinct) > MOST_REASONS:
        yield f"{len(distinct) - MOST_REASONS} more reasons for missing numbers: --json has them all"


def is_quoted(table: Table) -> bool:
    """Whether some interval is marked as the one to quote."""
    return any(isinstance(cell, Quantity) and cell.quoted for row in table.rows for cell in row)


def _interval(quantity: Quantity) -> str:
    if quantity.low is None or quantity.high is None:
        return ""
    return f"[{_number(quantity.low, quantity)}, {_number(quantity.high, quantity)}]"


def _number(value: float, quantity: Quantity, *, signed: bool | None = None) -> str:
    """Scaled and rounded; without a sign where nothing is left after rounding."""
    if quantity.unit == "p":
        return _probability(value)
    scaled = 100 * value if quantity.unit in SUFFIXES else value
    digits = quantity.digits if quantity.digits is not None else DIGITS.get(quantity.unit, USUAL_DIGITS)
    text = f"{scaled:z,.{digits}f}"
    if signed is None:
        signed = quantity.unit == "points" if quantity.signed is None else quantity.signed
    return f"+{text}" if signed and scaled > 0 and text.strip("0.,") else text


def _probability(value: float) -> str:
    if value >= SMALLEST_P or math.isnan(value):
        return f"{value:.3f}"
    return f"{value:.0e}" if value > 0 else "0"


def _shared_suffix(cells: Sequence[Cell]) -> str:
    """`%` or `points`, where all numbers of a column are of that unit."""
    units = {cell.unit if isinstance(cell, Quantity) else "" for cell in cells if _is_number(cell)}
    return SUFFIXES.get(units.pop(), "") if len(units) == 1 else ""


def _is_number(cell: Cell) -> bool:
    return isinstance(cell, Quantity | int | float) and not isinstance(cell, bool)


def _is_text(cell: Cell) -> bool:
    return isinstance(cell, str) and bool(cell)
