"""What more classes would bring, as an audit estimates it."""

from typing import ClassVar

from fairshot.audits.findings import Audit
from fairshot.reports.audits import counted_unit
from fairshot.reports.pages.section import PageSection
from fairshot.tables.tabular import Tabular
from fairshot.tables.words import plural

LEAST = 2  # points of a curve


class Precision(PageSection):
    """A curve of half-widths against the number of classes or parents."""

    place: ClassVar = 9
    heading: ClassVar = "What would more classes bring?"

    def body(self, result: Tabular) -> str:
        """The curve of an audit, where it could be estimated."""
        if not isinstance(result, Audit):
            return ""
        known = [point for point in result.classes.curve if point.mean is not None]
        if len(known) < LEAST:
            return ""
        from fairshot.reports.charts.precision import precision_chart
        from fairshot.reports.pages.figure import figure

        return figure(precision_chart(known, plural(counted_unit(result)), result.classes.counted))
