"""Tables of a page or a notebook."""

import html
from collections.abc import Sequence

from fairshot.runtime.visible_text import visible
from fairshot.tables.quantities import Shown, is_quoted, reasons, show_table
from fairshot.tables.table import Cell, Quantity, Table

QUOTE = "*: the interval to quote."
WHOLE = 24  # letters of a cell that is not broken into lines
NUMBER = ' class="number" style="text-align: right"'


def to_html(tables: Sequence[Table], *, summary: str = "") -> str:
    """The summary and all tables."""
    paragraphs = [f"<p>{escape(line)}</p>" for line in summary.split("\n")] if summary else []
    return "\n".join([*paragraphs, *map(_table, tables)]) + "\n"


def escape(text: str) -> str:
    """Words that mean themselves, whatever they are made of."""
    return html.escape(visible(text))


def breakable(text: str) -> str:
    """The same, with places where a long name of several parts may go on in the next line."""
    return escape(text).replace("/", "/<wbr>")


def _table(table: Table) -> str:
    shown = show_table(table)
    lines = ['<div class="wide" tabindex="0"><table>']
    lines += [f"<caption>{escape(table.title)}</caption>"] if table.title else []
    headings = [
        f'<th scope="col"{NUMBER if numeric else ""}>{escape(heading)}</th>'
        for heading, numeric in zip(shown.headings, shown.numeric, strict=True)
    ]
    lines += ["<thead>", f"<tr>{''.join(headings)}</tr>", "</thead>", "<tbody>"]
    for words, cells in zip(shown.rows, table.rows, strict=True):
        lines.append(f"<tr>{''.join(_cell(text, shown, place, cells[place]) for place, text in enumerate(words))}</tr>")
    lines += ["</tbody>", "</table></div>"]
    notes = [*([QUOTE] if is_quoted(table) else []), *reasons(table), *table.notes]
    lines += [f'<div class="notes">{"".join(f"<p>{escape(note)}</p>" for note in notes)}</div>'] if notes else []
    return "\n".join(lines)


def _cell(text: str, shown: Shown, place: int, cell: Cell) -> str:
    """A cell with its value in full beside it, by which scripts sort."""
    value = cell.value if isinstance(cell, Quantity) else cell
    value = cell.low if value is None and isinstance(cell, Quantity) else value
    number = isinstance(value, int | float) and not isinstance(value, bool)
    align = (NUMBER if shown.numeric[place] else "") + (f' data-value="{value}"' if number else "")
    words = escape(text)
    if words and shown.code[place]:
        words = f"<code>{words}</code>"
    if words and shown.strong[place]:
        value, _, interval = words.partition(" ")
        words = f"<b>{value}</b> {interval}".strip()
    whole = ' class="whole"' if not align and len(text) <= WHOLE else ""
    return f"<td{align}{whole}>{words}</td>"
