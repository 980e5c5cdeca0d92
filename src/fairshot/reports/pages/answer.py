"""The answer first: the sentence that a reader came for."""

from typing import ClassVar

from fairshot.reports.pages.section import PageSection
from fairshot.tables.html import escape
from fairshot.tables.tabular import Tabular


class Answer(PageSection):
    """The summary of the result."""

    place: ClassVar = 0

    def body(self, result: Tabular) -> str:
        """A paragraph for each line."""
        return "".join(f'<p class="answer">{escape(line)}</p>' for line in result.summary().split("\n") if line)
