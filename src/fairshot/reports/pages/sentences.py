"""What a document says section by section: what to change, and what its answer is based on."""

from typing import ClassVar

from fairshot.audits.findings import Audit
from fairshot.checks.report import CheckReport
from fairshot.reports.pages.section import PageSection
from fairshot.reports.sections import to_html
from fairshot.tables.document import Document
from fairshot.tables.tabular import Tabular


class Sentences(PageSection):
    """The sections of a document, as the command line prints them, without the answer that stands above them."""

    place: ClassVar = 5

    def body(self, result: Tabular) -> str:
        """Headings with sentences, and nothing that stands in a table below; nothing for a result of tables alone."""
        if not isinstance(result, Document):
            return ""
        below = {table.title for table in result.tables()}
        repeated = isinstance(result, Audit | CheckReport)
        sections = [section for section in result.sections() if section.heading not in below]
        told = to_html(sections, without=result.summary().split("\n"), tables=not repeated)
        return f'<div class="told">{told}</div>' if told.strip() else ""
