"""Tables of a page or a notebook."""

import html
from collections.abc import Sequence

from fairshot.runtime.visible_text import visible
from fairshot.tables.quantities import Shown, is_quoted, reasons, show_table
from fairshot.tables.table import Table

QUOTE = "*: the interval to quote."


def to_html(tables: Sequence[Table], *, summary: str = "") -> str:
    """The summary and all tables."""
    paragraphs = [f"<p>{escape(line)}</p>" for line in summary.split("\n")] if summary else []
    return "\n".join([*paragraphs, *map(_table, tables)]) + "\n"


def escape(text: str) -> str:
    """Words that mean themselves, whatever they are made of."""
    return html.escape(visible(text))


def _table(table: Table) -> str:
    shown = show_table(table)
    lines = ["<table>"]
    lines += [f"<caption>{escape(table.title)}</caption>"] if table.title else []
    headings = [f"<th>{escape(heading)}</th>" for heading in shown.headings]
    lines += ["<thead>", f"<tr>{''.join(headings)}</tr>", "</thead>", "<tbody>"]
    lines += [f"<tr>{''.join(_cell(text, shown, place) for place, text in enumerate(row))}</tr>" for row in shown.rows]
    lines += ["</tbody>", "</table>"]
    notes = [*([QUOTE] if is_quoted(table) else []), *reasons(table), *table.notes]
    return "\n".join([*lines, *(f"<p>{escape(note)}</p>" for note in notes)])


def _cell(text: str, shown: Shown, place: int) -> str:
    align = ' style="text-align: right"' if shown.numeric[place] else ""
    words = escape(text)
    if words and shown.code[place]:
        words = f"<code>{words}</code>"
    if words and shown.strong[place]:
        value, _, interval = words.partition(" ")
        words = f"<b>{value}</b> {interval}".strip()
    return f"<td{align}>{words}</td>"
