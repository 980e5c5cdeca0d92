"""The renderers by name: a typed table in, text out. Percent and rounding happen here and in reports only."""

from collections.abc import Sequence
from io import StringIO
from typing import TYPE_CHECKING

from rich import box
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from fairshot.tables.table import Cell, Quantity, Table

if TYPE_CHECKING:
    from pandas import DataFrame


def shown(cell: Cell) -> str:
    """A cell in words."""
    if cell is None:
        return ""
    if not isinstance(cell, Quantity):
        return str(cell)
    if cell.value is None:
        return "N/A"
    scale, digits = (100, 1) if cell.unit in ("share", "points") else (1, 2)
    digits = digits if cell.digits is None else cell.digits
    text = f"{scale * cell.value:.{digits}f}"
    if cell.low is None or cell.high is None:
        return text
    return f"{text} [{scale * cell.low:.{digits}f}, {scale * cell.high:.{digits}f}]"


def to_text(tables: Sequence[Table], *, summary: str = "", width: int | None = None) -> str:
    """As printed on a terminal."""
    out = StringIO()
    console = Console(file=out, width=width or 80, emoji=False, highlight=False)
    if summary:
        console.print(Text(summary))
    for table in tables:
        drawn = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, title=Text(table.title) if table.title else None)
        for column in table.columns:
            drawn.add_column(Text(column.name), overflow="fold")
        for row in table.rows:
            drawn.add_row(*(Text(shown(cell)) for cell in row))
        console.print(drawn)
        for note in table.notes:
            console.print(Text(note))
    return out.getvalue()


def to_markdown(tables: Sequence[Table], *, summary: str = "") -> str:
    """As Markdown."""
    raise NotImplementedError


def to_latex(tables: Sequence[Table]) -> str:
    """As LaTeX."""
    raise NotImplementedError


def to_csv(tables: Sequence[Table]) -> str:
    """As comma-separated values."""
    raise NotImplementedError


def to_html(tables: Sequence[Table], *, summary: str = "") -> str:
    """As HTML."""
    raise NotImplementedError


def to_frame(table: Table) -> "DataFrame":
    """As a pandas data frame."""
    raise NotImplementedError
