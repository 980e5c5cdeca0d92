"""Tables of a Markdown page, as GitHub and most others read them."""

import re
from collections.abc import Sequence

from fairshot.runtime.visible_text import visible
from fairshot.tables.quantities import Shown, is_quoted, show_table
from fairshot.tables.table import Table

ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "|": "&#124;", "`": "&#96;", "\\": "&#92;", "*": "&#42;"}
ENTITIES |= {"[": "&#91;", "]": "&#93;", "~": "&#126;", "$": "&#36;"}
EMPHASIS = re.compile(r"(?<![^\W_])_|_(?![^\W_])")  # within a word an underscore is only itself
PLAIN = re.compile(r"[^`|\\]+")  # what a pair of backticks can hold in a cell of a table
QUOTE = "\\*: the interval to quote."


def to_markdown(tables: Sequence[Table], *, summary: str = "") -> str:
    """The summary and all tables, each below its title in bold."""
    blocks = [escape(line) for line in summary.split("\n")] if summary else []
    for table in tables:
        blocks += [f"**{escape(table.title)}**"] if table.title else []
        blocks.append(table_lines(table))
        blocks += [QUOTE] if is_quoted(table) else []
        blocks += [escape(note) for note in table.notes]
    return "\n\n".join(blocks) + "\n"


def table_lines(table: Table) -> str:
    """The table alone, without title and notes."""
    shown = show_table(table)
    headings = [escape(heading) for heading in shown.headings]
    lines = [_line(headings), "|" + "|".join("---:" if numeric else "---" for numeric in shown.numeric) + "|"]
    for cells, row in zip(table.rows, shown.rows, strict=True):
        texts = [_cell(text, shown, place, name=isinstance(cells[place], str)) for place, text in enumerate(row)]
        lines.append(_line(texts))
    return "\n".join(lines)


def escape(text: str) -> str:
    """Words that mean themselves, whatever they are made of."""
    entities = "".join(ENTITIES.get(letter, letter) for letter in visible(text))
    return EMPHASIS.sub("&#95;", entities)


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _cell(text: str, shown: Shown, place: int, *, name: bool) -> str:
    if name and text and shown.code[place]:
        return code(text)
    if name:
        return escape(text)
    if not shown.strong[place] or not text:
        return text.replace("*", "\\*")
    value, _, interval = text.partition(" ")
    return f"**{value}** {interval}".strip().replace("]*", "]\\*")


def code(text: str) -> str:
    """A name as code; by tags where backticks cannot hold it."""
    plain = PLAIN.fullmatch(text) and text.strip() == text
    return f"`{text}`" if plain else f"<code>{escape(text)}</code>"
