"""All renderers: typed tables in, text out. Percent and rounding happen in this folder and in reports."""

from fairshot.tables.csv import to_csv
from fairshot.tables.frame import to_frame
from fairshot.tables.html import to_html
from fairshot.tables.latex import to_latex
from fairshot.tables.markdown import to_markdown
from fairshot.tables.terminal import to_text

__all__ = ["to_csv", "to_frame", "to_html", "to_latex", "to_markdown", "to_text"]
