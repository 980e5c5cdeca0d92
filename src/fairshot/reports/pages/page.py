"""A page: one self-contained HTML file of a result. It opens from disk and loads nothing."""

from pathlib import Path

from fairshot.reports.pages.section import PageSection
from fairshot.runtime.files import complete_file
from fairshot.specs.registry import find_class, names
from fairshot.tables.html import escape
from fairshot.tables.tabular import Tabular

TITLE = "fairshot report"
STYLE = """
:root { color-scheme: light dark; --line: #8886; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
.answer { font-size: 1.25rem; }
table { border-collapse: collapse; margin: 1.5rem 0 .5rem; display: block; overflow-x: auto; }
caption { text-align: left; font-weight: 600; margin-bottom: .25rem; }
th, td { padding: .25rem .75rem .25rem 0; border-bottom: 1px solid var(--line); vertical-align: bottom; }
th { text-align: left; }
figure { margin: 1rem 0; } figure svg { max-width: 100%; height: auto; }
dt { font-weight: 600; } dd { margin: 0 0 .5rem; overflow-wrap: anywhere; }
"""


def write_page(result: Tabular, path: Path | str, title: str = TITLE) -> Path:
    """Writes the page, or leaves what was there."""
    path = Path(path)
    with complete_file(path) as unfinished:
        unfinished.write_text(make_page(result, title), encoding="utf-8", errors="surrogateescape")
    return path


def make_page(result: Tabular, title: str = TITLE) -> str:
    """The page as text: every section that has something to say."""
    blocks = []
    for section in all_sections():
        body = section.body(result)
        heading = f"<h2>{escape(section.heading)}</h2>" if section.heading else ""
        blocks += [f"<section>{heading}{body}</section>"] if body else []
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    main = "\n".join([f"<h1>{escape(title)}</h1>", *blocks])
    document = f"<head>{head}<style>{STYLE}</style></head>\n<body><main>{main}</main></body>"
    return f'<!doctype html>\n<html lang="en">{document}</html>\n'


def all_sections() -> list[PageSection]:
    """An instance of each, in the order of the page."""
    found: list[PageSection] = [find_class("sections", name)() for name in names("sections")]
    return sorted(found, key=lambda section: section.place)
