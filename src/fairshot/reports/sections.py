"""Sections of a report in the terminal: a heading, sentences and tables, one section after the other."""

from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from fairshot.tables.document import Document
from fairshot.tables.names import visible

WIDTH = 80  # columns that every table fits in


@dataclass(frozen=True)
class Section:
    """Lines and tables under a heading; without a heading, lines that stand alone."""

    heading: str
    content: Sequence[str | Table]


def show(document: Document, console: Console | None = None) -> None:
    """Prints what a verb found; on a terminal, in its width and with its colours."""
    print_sections(document.sections(), console or Console(emoji=False))


def to_text(sections: Sequence[Section], *, width: int | None = None) -> str:
    """The same as text; tables fit the width, and a sentence is one line, however long."""
    console = Console(file=StringIO(), width=width or WIDTH, emoji=False, highlight=False, color_system=None)
    print_sections(sections, console)
    return console.file.getvalue()  # type: ignore[attr-defined]


def print_sections(sections: Sequence[Section], console: Console) -> None:
    """Sentences are broken between words on a terminal, and not at all in files, where they are searched for."""
    for number, section in enumerate(sections):
        if number:
            console.print()
        if section.heading:
            console.print(as_written(section.heading), style="bold", soft_wrap=not console.is_terminal)
        for item in section.content:
            if isinstance(item, Table):
                console.print(item)
            else:
                console.print(as_written(item), soft_wrap=not console.is_terminal)


def plain_table(*headings: str, first: str | None = None) -> Table:
    """A table without lines; numbers stand right, and the first column may hold names."""
    table = Table(box=None, padding=(0, 2), collapse_padding=True, pad_edge=False)
    if first is not None:
        table.add_column(first, overflow="fold")
    for heading in headings:
        table.add_column(heading, justify="right" if heading else "left", no_wrap=True)
    return table


def as_written(text: str) -> Text:
    """Text without styles in it: a name in brackets is a name."""
    return Text(visible(text))
