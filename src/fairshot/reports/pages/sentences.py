"""What a document says section by section: what to change, and what its answer is based on."""

from typing import ClassVar

from fairshot.reports.pages.section import PageSection
from fairshot.reports.sections import to_html
from fairshot.tables.document import Document
from fairshot.tables.tabular import Tabular


class Sentences(PageSection):
    """The sections of a document, as the command line prints them, without the answer that stands above them."""

    place: ClassVar = 5

    def body(self, result: Tabular) -> str:
        """Headings with sentences and tables; nothing for a result that has tables alone."""
        return to_html(result.sections(), without=result.summary()) if isinstance(result, Document) else ""
