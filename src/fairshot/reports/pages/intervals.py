"""How sure each number is, as a picture: every learner with its intervals."""

from typing import ClassVar

from fairshot.reports.pages.section import PageSection
from fairshot.results.evaluation import Evaluation
from fairshot.tables.tabular import Tabular

MOST = 60  # rows of which a picture can still be read


class Intervals(PageSection):
    """A chart of all rows."""

    place: ClassVar = 8
    heading: ClassVar = "How sure is each number?"

    def body(self, result: Tabular) -> str:
        """The chart, where rows have intervals."""
        if not isinstance(result, Evaluation):
            return ""
        rows = [row for row in result.rows if row.value is not None and any(row.intervals.values())]
        if not rows or len(rows) > MOST:
            return ""
        from fairshot.reports.charts.intervals import interval_chart
        from fairshot.reports.pages.figure import figure, figures

        tasks = list(dict.fromkeys((row.task, row.metric) for row in rows))
        charts = [interval_chart([row for row in rows if (row.task, row.metric) == task]) for task in tasks]
        return figures([figure(chart) for chart in charts], "The thick interval is the one to quote.")
