"""Which learners differ: every two of them on the same episodes, as a matrix for each task."""

import itertools
from collections.abc import Sequence
from typing import ClassVar

from fairshot.evaluation.comparisons import Comparisons
from fairshot.reports.pages.section import PageSection
from fairshot.results.evaluation import Evaluation
from fairshot.runtime.errors import FairshotError
from fairshot.statistics.comparison import Comparison
from fairshot.statistics.estimate import LEVEL
from fairshot.tables.tabular import Tabular
from fairshot.tables.words import at_level

MOST_TASKS = 6


class Differences(PageSection):
    """A matrix for each task with at least three learners."""

    place: ClassVar = 15
    heading: ClassVar = "Which learners differ?"

    def body(self, result: Tabular) -> str:
        """Matrices; nothing where fewer than two learners answered the same episodes."""
        comparisons = _comparisons(result)
        tasks = list(dict.fromkeys(one.task for one in comparisons))
        from fairshot.reports.charts.difference_matrix import MOST, matrix_chart
        from fairshot.reports.pages.figure import figure, figures

        drawn = []
        for task in tasks[:MOST_TASKS]:
            pairs = [one for one in comparisons if one.task == task]
            learners = list(dict.fromkeys(name for one in pairs for name in (one.first, one.second)))
            if 2 <= len(learners) <= MOST:
                drawn.append(figure(matrix_chart(pairs, learners)))
        ends = f"its {at_level(LEVEL)} interval leaves out 0"
        said = f"Row minus column in points, on the same episodes; a difference counts where {ends}."
        if isinstance(result, Evaluation) and _best_of_many(result):
            said += f" Of {len(result.learners)} learners, the {MOST} with the best means are shown."
        return figures(drawn, said)


def _comparisons(result: Tabular) -> Sequence[Comparison]:
    if isinstance(result, Comparisons):
        return result.pairs
    if not isinstance(result, Evaluation) or len(result.learners) < 2:
        return ()
    names = _best_of_many(result)
    try:
        return result.compare(only=None if names is None else list(itertools.combinations(names, 2))).pairs
    except FairshotError:  # fewer than two learners answered, or scores are not at hand
        return ()


def _best_of_many(result: Evaluation) -> list[str] | None:
    """The learners of a matrix where there are more than it has room for: those with the best means on the first task.

    All pairs of sixty learners would take minutes to compare, and nobody could read them. None where all fit.
    """
    from fairshot.reports.charts.difference_matrix import MOST

    if len(result.learners) <= MOST:
        return None
    first = result.rows[0]
    rows = [row for row in result.rows if row.task == first.task and row.value is not None]
    rows.sort(key=lambda row: row.number, reverse=first.higher_is_better)
    return list(dict.fromkeys(row.learner for row in rows))[:MOST]
