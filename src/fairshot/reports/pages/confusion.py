"""Which classes are hard, and which are taken for each other."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from fairshot.evaluation.diagnosis import Diagnoses, Diagnosis
from fairshot.reports.pages.section import PageSection
from fairshot.results.evaluation import Evaluation
from fairshot.results.records import MemoryRecords
from fairshot.results.schema import Row
from fairshot.runtime.errors import FairshotError
from fairshot.statistics.per_class import Rate, class_rates
from fairshot.tables.tabular import Tabular

HARDEST = 12
MOST_TASKS = 2
SAID = "The worst of many look worse than they are, since bad luck put them there too: trust the rings."


class Confusion(PageSection):
    """Hard classes of the best learner; of a diagnosis, pairs that are taken for each other, too."""

    place: ClassVar = 27
    heading: ClassVar = "Hard classes"

    def body(self, result: Tabular) -> str:
        """A chart for each task or learner; nothing where classes are not known."""
        from fairshot.reports.charts.rates import rate_chart
        from fairshot.reports.pages.figure import figure, figures

        drawn = [figure(rate_chart(rates, title, measure)) for title, measure, rates in _rates(result)]
        return figures(drawn, SAID)


def _rates(result: Tabular) -> Iterator[tuple[str, str, Sequence[Rate]]]:
    """The title of a chart, what its numbers are, and the rows."""
    if isinstance(result, Evaluation):
        yield from _of_evaluation(result)
    diagnoses = result.rows if isinstance(result, Diagnoses) else [result] if isinstance(result, Diagnosis) else []
    for one in diagnoses:
        learner = one.question.learner
        yield f"{learner}: hardest classes", "answered right", one.classes.rows[:HARDEST]
        if one.confused:
            yield f"{learner}: confused pairs", "taken for each other, where they meet", one.confused


def _of_evaluation(result: Evaluation) -> Iterator[tuple[str, str, Sequence[Rate]]]:
    """The hardest classes of the best learner on the first tasks, where the data is at hand."""
    if not isinstance(result.records, MemoryRecords):
        return
    for task in result.tasks[:MOST_TASKS]:
        rows = [row for row in result.rows if row.task == task and _is_per_query(row)]
        if not rows:
            continue
        best = max(rows, key=lambda row: row.value or 0)
        listed = result.records.lists_by_key.get(best.episodes_key)
        if listed is None:
            continue
        try:
            answers = result.answers(best)
        except FairshotError:  # scores that are no shares of queries
            continue
        names = [listed.part.class_names[row] for row in answers.layout.classes]
        yield f"{task}, {best.learner}", "answered right", class_rates(answers, names).rows[:HARDEST]


def _is_per_query(row: Row) -> bool:
    return row.per_query and bool(row.scores_key) and not row.runs and row.value is not None
