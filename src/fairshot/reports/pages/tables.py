"""All tables of a result, with what their intervals are for."""

from typing import ClassVar

from fairshot.reports.pages.section import PageSection
from fairshot.tables.html import to_html
from fairshot.tables.tabular import Tabular


class Tables(PageSection):
    """The typed tables."""

    place: ClassVar = 10
    heading: ClassVar = "Tables"

    def body(self, result: Tabular) -> str:
        """Each table with its notes."""
        return to_html(result.tables())
