"""What an audit would change, right below its verdict."""

from typing import ClassVar

from fairshot.audits.findings import Audit
from fairshot.reports.pages.section import PageSection
from fairshot.tables.html import escape
from fairshot.tables.tabular import Tabular


class Advice(PageSection):
    """The advice of an audit."""

    place: ClassVar = 3
    heading: ClassVar = "What to change"

    def body(self, result: Tabular) -> str:
        """A list, the most serious first."""
        if not isinstance(result, Audit):
            return ""
        lines = result.advice or ("nothing that an audit sees",)
        return f"<ul>{''.join(f'<li>{escape(line[:1].upper() + line[1:])}.</li>' for line in lines)}</ul>"
