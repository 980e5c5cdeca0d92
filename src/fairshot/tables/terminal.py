"""Tables on a terminal: within its width, with numbers whole. What finds no room is named below the table."""

import re
import shutil
import sys
from collections.abc import Iterator, Sequence

from rich.cells import cell_len, chop_cells

from fairshot.runtime.visible_text import visible
from fairshot.tables.quantities import QUOTED, Shown, is_quoted, reasons, show_table
from fairshot.tables.table import Table

USUAL_WIDTH = 80
GAP = "  "
PIECES = re.compile(r"[^@:,=/+_-]*[@:,=/+_-]+|[^@:,=/+_-]+")  # of a name, each with the sign behind it
NARROWEST = 12  # columns that a name gets at least before it is folded further
QUOTE = "*: the interval to quote."


def to_text(tables: Sequence[Table], *, summary: str = "", width: int | None = None) -> str:
    """The summary and the tables as lines that fit into so many columns; by default those of the terminal."""
    width = terminal_width() if width is None else width
    blocks = ["\n".join(wrapped_lines(summary, width))] if summary else []
    blocks += ["\n".join(_block(table, width)) for table in tables]
    return "\n\n".join(blocks) + "\n" if blocks else ""


def terminal_width() -> int:
    """The columns of the terminal; 80 where the output goes elsewhere."""
    return shutil.get_terminal_size((USUAL_WIDTH, 24)).columns if sys.stdout.isatty() else USUAL_WIDTH


def _block(table: Table, width: int) -> Iterator[str]:
    """A table with its title and all that is said below it."""
    shown = show_table(table)
    if table.title:
        yield from wrapped_lines(table.title, width)
    widths = _widths(shown, width)
    if widths:
        yield from _table_lines(shown, widths)
    else:
        yield from _listed_lines(shown, width)
    left_out = shown.headings[len(widths) :] if widths else []
    notes = [f"Not shown for lack of room: {'; '.join(left_out)}. --format csv has all columns."] if left_out else []
    notes += [f"{column.name}: {column.about}" for column in table.columns if column.about]
    explained = any(note.startswith(QUOTED) for note in table.notes)
    notes += [QUOTE] if is_quoted(table) and not explained else []
    notes += [f"{reason}." for reason in reasons(table)]
    for note in [*notes, *table.notes]:
        yield from wrapped_lines(note, width)


def _widths(shown: Shown, width: int) -> list[int]:
    """The widths of as many columns from the left as fit; none where not even two do."""
    smallest, largest = _smallest(shown), _largest(shown)
    count = len(smallest)
    while count and sum(smallest[:count]) + len(GAP) * (count - 1) > width:
        count -= 1
    if count < min(2, len(smallest)):
        return []
    widths, room = smallest[:count], width - sum(smallest[:count]) - len(GAP) * (count - 1)
    for place in sorted(range(count), key=lambda place: largest[place] - smallest[place]):
        more = min(largest[place] - widths[place], room)
        widths[place] += more
        room -= more
    return widths


def _smallest(shown: Shown) -> list[int]:
    """How narrow each column can be: numbers whole, names folded, headings broken between words."""
    found = []
    for place, heading in enumerate(shown.headings):
        longest = max((cell_len(row[place]) for row in shown.rows), default=0)
        word = max((cell_len(word) for word in heading.split()), default=0)
        if shown.numeric[place]:
            found.append(max(longest, min(word, NARROWEST), 1))
        else:
            found.append(max(min(max(longest, word), NARROWEST), 1))
    return found


def _largest(shown: Shown) -> list[int]:
    columns = [[heading, *(row[place] for row in shown.rows)] for place, heading in enumerate(shown.headings)]
    return [max(map(cell_len, column)) for column in columns]


def _table_lines(shown: Shown, widths: Sequence[int]) -> Iterator[str]:
    yield from _row_lines(shown.headings, widths, shown.numeric, low=True)
    yield "─" * (sum(widths) + len(GAP) * (len(widths) - 1))
    for row in shown.rows:
        yield from _row_lines(row, widths, shown.numeric)


def _row_lines(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool], low: bool = False) -> Iterator[str]:
    """The lines of one row; headings stand low, next to what they are about."""
    folded = [_folded(cell, width) for cell, width in zip(cells, widths, strict=False)]
    height = max(map(len, folded), default=0)
    padded = [[""] * (height - len(lines)) + lines if low else lines + [""] * (height - len(lines)) for lines in folded]
    for line in zip(*padded, strict=True):
        words = zip(line, widths, right, strict=False)
        yield GAP.join(_aligned(text, width, at_right) for text, width, at_right in words).rstrip()


def _aligned(text: str, width: int, right: bool) -> str:
    blank = " " * (width - cell_len(text))
    return blank + text if right else text + blank


def _listed_lines(shown: Shown, width: int) -> Iterator[str]:
    """One cell a line, where the terminal is too narrow for a table."""
    for row in shown.rows:
        for heading, cell, numeric in zip(shown.headings, row, shown.numeric, strict=True):
            yield from wrapped_lines(f"{heading}:", width)
            yield from [f"  {cell}"] if numeric else (f"  {line}" for line in _folded(cell, max(width - 2, 1)))


def wrapped_lines(text: str, width: int) -> Iterator[str]:
    """Prose, line by line, broken between words only."""
    for paragraph in text.split("\n"):
        line = ""
        for word in visible(paragraph).split(" "):
            if line and cell_len(line) + 1 + cell_len(word) > width:
                yield line
                line = word
            else:
                line = f"{line} {word}" if line else word
        yield line


def _folded(text: str, width: int) -> list[str]:
    """The text in lines of a width, broken between words and, where a word is too long, within it."""
    lines: list[str] = []
    for word in text.split(" "):
        if lines and cell_len(lines[-1]) + 1 + cell_len(word) <= width:
            lines[-1] = f"{lines[-1]} {word}"
        else:
            lines += _chopped(word, width) or [""]
    return lines


def _chopped(word: str, width: int) -> list[str]:
    """A word in lines of a width, broken behind a sign where there is one, as names of learners have them."""
    lines: list[str] = []
    for piece in PIECES.findall(word):
        if lines and cell_len(lines[-1]) + cell_len(piece) <= width:
            lines[-1] += piece
        else:
            lines += chop_cells(piece, width)
    return lines
