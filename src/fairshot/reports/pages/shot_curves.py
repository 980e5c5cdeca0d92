"""The score against the number of shots, where at least three numbers were evaluated."""

from typing import ClassVar

from fairshot.reports.pages.section import PageSection
from fairshot.results.evaluation import Evaluation
from fairshot.tables.tabular import Tabular


class ShotCurves(PageSection):
    """One chart for all learners."""

    place: ClassVar = 20
    heading: ClassVar = "How many shots?"

    def body(self, result: Tabular) -> str:
        """The chart."""
        if not isinstance(result, Evaluation) or not result.shots:
            return ""
        from fairshot.reports.charts.shot_curve import shot_chart
        from fairshot.reports.pages.figure import figure

        return figure(shot_chart(result.shots))
