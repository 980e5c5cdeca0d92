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
        """The chart, drawn without a browser."""
        if not isinstance(result, Evaluation) or not result.shots:
            return ""
        from fairshot.reports.charts.chart import to_svg
        from fairshot.reports.charts.shot_curve import shot_chart

        return f"<figure>{to_svg(shot_chart(result.shots))}</figure>"
