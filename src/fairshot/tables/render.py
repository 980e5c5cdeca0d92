"""The renderers by name: typed tables in, text out. Percent and rounding happen in this folder and in reports."""

from collections.abc import Callable, Sequence

from fairshot.runtime.errors import unknown
from fairshot.tables.csv import to_csv
from fairshot.tables.frame import to_frame
from fairshot.tables.html import to_html
from fairshot.tables.latex import to_latex
from fairshot.tables.markdown import to_markdown
from fairshot.tables.table import Table
from fairshot.tables.terminal import to_text

__all__ = ["FORMATS", "render", "to_csv", "to_frame", "to_html", "to_latex", "to_markdown", "to_text"]

FORMATS: dict[str, Callable[[Sequence[Table], str], str]] = {
    "terminal": lambda tables, summary: to_text(tables, summary=summary),
    "markdown": lambda tables, summary: to_markdown(tables, summary=summary),
    "latex": lambda tables, summary: to_latex(tables),
    "csv": lambda tables, summary: to_csv(tables),
    "html": lambda tables, summary: to_html(tables, summary=summary),
}


def render(tables: Sequence[Table], form: str, *, summary: str = "") -> str:
    """The tables in a format by its name."""
    if form not in FORMATS:
        raise unknown("format", form, FORMATS)
    return FORMATS[form](tables, summary)
