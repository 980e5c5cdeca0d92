"""How sure each number is, as a picture: every learner with its intervals."""

from typing import ClassVar

from fairshot.audits.findings import Audit
from fairshot.reports.pages.section import PageSection
from fairshot.results.population_headings import POPULATIONS
from fairshot.results.schema import Result, Row
from fairshot.results.study_rows import CoverageResult, SampleResult
from fairshot.tables.tabular import Tabular

ABOUT = "The thick interval is the one to quote; a diamond is a published number."
MOST_TASKS = 8
MOST = 60  # rows of which a picture can still be read


def _is_shown(row: Row) -> bool:
    """Whether a row is a share with an interval for a population that has a name."""
    known = any(row.intervals.get(name) for name in POPULATIONS)
    return row.value is not None and 0 <= row.value <= 1 and known


def interval_rows(result: Tabular) -> list[list[Row]]:
    """The rows of each chart, a task and metric each; none where a picture would say nothing or too much."""
    if isinstance(result, Audit):
        measured = {"any classes": result.accuracy.mean, "within one parent": result.accuracy.within}
        named = {name: row for name, row in measured.items() if row is not None and _is_shown(row)}
        return [[row.model_copy(update={"learner": name}) for name, row in named.items()]] if named else []
    stored = getattr(result, "result", None)
    if not isinstance(stored, Result) or isinstance(stored, SampleResult | CoverageResult):
        return []
    rows = [row for row in stored.rows if _is_shown(row)]
    names = {(row.learner, row.task, row.metric) for row in rows}
    if not rows or len(names) < len(rows) or len(rows) > MOST:
        return []
    tasks = list(dict.fromkeys((row.task, row.metric) for row in rows))
    return [[row for row in rows if (row.task, row.metric) == task] for task in tasks[:MOST_TASKS]]


class Intervals(PageSection):
    """A chart of all rows."""

    place: ClassVar = 8
    heading: ClassVar = "How sure is each number?"

    def body(self, result: Tabular) -> str:
        """The chart, where rows have intervals."""
        from fairshot.reports.charts.intervals import interval_chart
        from fairshot.reports.pages.figure import figure, figures

        return figures([figure(interval_chart(rows)) for rows in interval_rows(result)], ABOUT)
