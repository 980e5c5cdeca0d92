"""Good and bad episodes: what a mean hides."""

from typing import ClassVar

from fairshot.reports.pages.section import PageSection
from fairshot.results.evaluation import Evaluation
from fairshot.results.schema import Row
from fairshot.runtime.errors import FairshotError
from fairshot.tables.tabular import Tabular

MOST_TASKS, MOST_LEARNERS = 4, 8


class Profiles(PageSection):
    """A performance profile for each task."""

    place: ClassVar = 25
    heading: ClassVar = "Good and bad episodes"

    def body(self, result: Tabular) -> str:
        """Curves of the share of episodes that reach a score; nothing where scores are not at hand."""
        if not isinstance(result, Evaluation):
            return ""
        from fairshot.reports.charts.profiles import profile_chart
        from fairshot.reports.pages.figure import figure, figures

        drawn = []
        for task in result.tasks[:MOST_TASKS]:
            rows = [row for row in result.rows if row.task == task and _has_shares(row)][:MOST_LEARNERS]
            try:
                scores = {row.learner: result.scores(row)[0].values for row in rows}
            except FairshotError:
                return ""
            if scores:
                drawn.append(figure(profile_chart(scores, task, rows[0].metric)))
        said = "The share of episodes in which a learner reaches each score: the higher a curve, the better."
        return figures(drawn, said)


def _has_shares(row: Row) -> bool:
    """Whether a row's scores lie between 0 and 1 and have episodes of their own."""
    return row.value is not None and 0 <= row.value <= 1 and bool(row.scores_key) and not row.runs
