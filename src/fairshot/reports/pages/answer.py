"""The answer first: the sentence that a reader came for."""

from typing import ClassVar

from fairshot.reports.pages.section import PageSection
from fairshot.tables.html import escape
from fairshot.tables.tabular import Tabular


class Answer(PageSection):
    """The summary of the result."""

    place: ClassVar = 0

    def body(self, result: Tabular) -> str:
        """One card with a paragraph for each line."""
        lines = [f"<p>{escape(line)}</p>" for line in result.summary().split("\n") if line]
        return f'<div class="answer">{"".join(lines)}</div>' if lines else ""
