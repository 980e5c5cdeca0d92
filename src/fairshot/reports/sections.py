"""Sections of a report: a heading, sentences and tables, one section after the other, in every form of a document."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO

from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from fairshot.runtime.visible_text import visible
from fairshot.tables import html, markdown
from fairshot.tables.table import Column, Table
from fairshot.tables.terminal import terminal_width, wrapped_lines

BULLET = "* "  # begins a line that is an item of a list


@dataclass(frozen=True)
class Section:
    """Lines and tables under a heading; without a heading, lines that stand alone."""

    heading: str
    content: Sequence[str | RichTable]


def to_text(sections: Sequence[Section], *, width: int | None = None) -> str:
    """The sections on a terminal: sentences are broken between words, and tables fit the width."""
    width = terminal_width() if width is None else width
    console = Console(file=StringIO(), width=width, emoji=False, highlight=False, color_system=None)
    for number, section in enumerate(sections):
        if number:
            console.print()
        for item in [section.heading, *section.content] if section.heading else section.content:
            lines = [item] if isinstance(item, RichTable) else map(Text, wrapped_lines(item, width))
            for line in lines:
                console.print(line, soft_wrap=isinstance(line, Text))
    printed: str = console.file.getvalue()  # type: ignore[attr-defined]
    return "".join(f"{line.rstrip()}\n" for line in printed.splitlines())


def to_markdown(sections: Sequence[Section]) -> str:
    """The sections for a Markdown page, each below its heading."""
    blocks = []
    for section in sections:
        blocks += [f"### {markdown.escape(section.heading)}"] if section.heading else []
        for item in _blocks(section):
            if isinstance(item, RichTable):
                blocks.append(markdown.table_lines(_plain(item)))
            elif isinstance(item, list):
                blocks.append("\n".join(f"* {markdown.escape(line)}" for line in item))
            else:
                blocks.append(markdown.escape(item))
    return "\n\n".join(blocks) + "\n"


def to_html(sections: Sequence[Section], *, without: Sequence[str] = (), tables: bool = True) -> str:
    """The sections for a page or a notebook; lines and tables that the page has elsewhere can be left out."""
    blocks = []
    for section in sections:
        content = [item for item in section.content if tables or not isinstance(item, RichTable)]
        kept = Section(section.heading, [item for item in content if item not in without])
        inner = [_html_block(item) for item in _blocks(kept)]
        heading = [f"<h3>{html.escape(section.heading)}</h3>"] if section.heading and inner else []
        blocks += [*heading, *inner]
    return "\n".join(blocks) + "\n"


def _html_block(item: str | list[str] | RichTable) -> str:
    if isinstance(item, RichTable):
        return html.to_html([_plain(item)]).rstrip()
    if isinstance(item, list):
        return f"<ul>{''.join(f'<li>{html.escape(line)}</li>' for line in item)}</ul>"
    return f"<p>{html.escape(item)}</p>"


def _blocks(section: Section) -> Iterator[str | list[str] | RichTable]:
    """Sentences, lists and tables; lines of a list that follow each other are one list."""
    items: list[str] = []
    for item in section.content:
        if isinstance(item, str) and item.startswith(BULLET):
            items.append(item.removeprefix(BULLET))
            continue
        if items:
            yield items
            items = []
        yield item
    if items:
        yield items


def _plain(table: RichTable) -> Table:
    """A table of a terminal as one of words, for the other forms."""
    columns = [Column(name=str(column.header)) for column in table.columns]
    rows = zip(*([str(cell) for cell in column.cells] for column in table.columns), strict=True)
    return Table(columns=columns, rows=[list(row) for row in rows])


def plain_table(*headings: str, first: str | None = None) -> RichTable:
    """A table without lines; numbers stand right, and the first column may hold names."""
    table = RichTable(box=None, padding=(0, 2), collapse_padding=True, pad_edge=False)
    if first is not None:
        table.add_column(first, overflow="fold")
    for heading in headings:
        table.add_column(heading, justify="right" if heading else "left", no_wrap=True)
    return table


def as_written(text: str) -> Text:
    """Text without styles in it: a name in brackets is a name."""
    return Text(visible(text))
