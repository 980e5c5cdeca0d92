"""A page: one self-contained HTML file of a result. It opens from disk and loads nothing."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from fairshot.reports.charts.theme import DARK_STYLE
from fairshot.reports.pages.figure import MARK
from fairshot.reports.pages.script import CHARTS, SORTING
from fairshot.reports.pages.section import PageSection
from fairshot.reports.pages.style import STYLE
from fairshot.runtime.files import complete_file
from fairshot.specs.registry import find_class, names
from fairshot.tables.html import escape
from fairshot.tables.tabular import Tabular

TITLE = "fairshot report"
FILTER = '<label class="filter" hidden>Show only rows that hold <input id="filter" type="search"></label>'
# Nothing may be loaded from anywhere: what a page needs stands in it. Charts are drawn by functions that Vega makes.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline' 'unsafe-eval'; img-src data:"


def write_page(result: Tabular | Mapping[str, Tabular], path: Path | str, title: str = TITLE) -> Path:
    """Writes the page of one result, or of several by name, or leaves what was there."""
    path = Path(path)
    with complete_file(path) as unfinished:
        unfinished.write_text(make_page(result, title), encoding="utf-8", errors="surrogateescape")
    return path


def make_page(result: Tabular | Mapping[str, Tabular], title: str = TITLE) -> str:
    """The page as text: every section that has something to say, for each result below its name."""
    if isinstance(result, Mapping):
        main = f"<h1>{escape(title)}</h1>\n{_contents(list(result))}{_articles(result)}"
    else:
        main = f"<h1>{escape(title)}</h1>\n{_sections(result, 2)}"
    head = (
        f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{escape(title)}</title>'
    )
    head += f"<style>{STYLE}{DARK_STYLE}</style>"
    document = f"<head>{head}</head>\n<body><main>{FILTER}{main}</main>{_scripts(main)}</body>"
    return f'<!doctype html>\n<html lang="en">{document}</html>\n'


def _contents(names: Sequence[str]) -> str:
    """Links to the results of the page."""
    links = [f'<li><a href="#part-{number}">{escape(name)}</a></li>' for number, name in enumerate(names, 1)]
    return f'<nav aria-label="Contents"><ul>{"".join(links)}</ul></nav>'


def _articles(results: Mapping[str, Tabular]) -> str:
    """Each result below its name."""
    return "\n".join(
        f'<article><h2 id="part-{number}">{escape(name)}</h2>\n{_sections(one, 3)}</article>'
        for number, (name, one) in enumerate(results.items(), 1)
    )


def _sections(result: Tabular, level: int) -> str:
    """All sections with headings of a level."""
    blocks = []
    for section in all_sections():
        body = section.body(result)
        heading = f"<h{level}>{escape(section.heading)}</h{level}>" if section.heading else ""
        blocks += [f"<section>{heading}{body}</section>"] if body else []
    return "\n".join(blocks)


def _scripts(main: str) -> str:
    """What makes the page answer; the library of charts only where there is a chart."""
    if MARK not in main:
        return f"<script>{SORTING}</script>"
    from fairshot.reports.charts.chart import library

    return f"<script>{library()}</script><script>{SORTING}{CHARTS}</script>"


def all_sections() -> list[PageSection]:
    """An instance of each, in the order of the page."""
    found: list[PageSection] = [find_class("sections", name)() for name in names("sections")]
    return sorted(found, key=lambda section: section.place)
