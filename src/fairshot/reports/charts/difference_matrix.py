"""Every learner against every other: the paired difference, and whether it could be told from nothing."""

from collections.abc import Sequence
from typing import Any

import altair as alt
from altair.typing import ChartType

from fairshot.reports.charts.chart import table, themed
from fairshot.reports.charts.theme import INK
from fairshot.statistics.comparison import Comparison
from fairshot.tables.quantities import show_cell
from fairshot.tables.table import Quantity

CELL = 62
MOST = 12  # learners whose differences can still be read
WORSE, NOTHING, BETTER = "#e8a27c", "#eef1f4", "#7fb2d9"  # light enough for dark text in all of them


def matrix_chart(comparisons: Sequence[Comparison], learners: Sequence[str]) -> ChartType:
    """Row minus column in points, for one task; differences whose interval holds 0 are grey."""
    rows = [cell for one in comparisons for cell in _cells(one)]
    side = CELL * len(learners)
    base = alt.Chart(table(rows), width=side, height=int(side * 0.55), title=alt.Title(comparisons[0].task))
    base = base.encode(
        x=alt.X("column:N").sort(learners).title("minus this one").axis(labelAngle=-30, labelLimit=160, orient="top"),
        y=alt.Y("row:N").sort(learners).title(None).axis(labelLimit=200),
    )
    fill = alt.Color("verdict:N").legend(alt.Legend(title=None, orient="bottom"))
    words = ["better", "cannot be distinguished", "worse"]
    tooltip = [alt.Tooltip("row:N"), alt.Tooltip("column:N"), alt.Tooltip("words:N", title="difference, points")]
    cells = base.mark_rect(cornerRadius=3).encode(
        color=fill.scale(domain=words, range=[BETTER, NOTHING, WORSE]), tooltip=tooltip
    )
    text = base.mark_text(color=INK).encode(text="points:N", tooltip=tooltip)
    # Numbers stand on light cells in either scheme, so they keep the dark ink.
    text = text.encode(fill=alt.value("#111111"))
    description = f"Paired differences of {', '.join(learners)}: {comparisons[0].task}"
    return themed(cells + text, description)


def _cells(one: Comparison) -> list[dict[str, Any]]:
    difference = one.differences.get(one.headline) or next(iter(one.differences.values()))
    interval = difference.estimate.interval
    sign = 1 if one.higher_is_better else -1
    cells = []
    for row, column, turn in ((one.first, one.second, 1), (one.second, one.first, -1)):
        value = turn * one.value
        ends = None if interval is None else sorted(turn * end for end in interval)
        verdict = "cannot be distinguished"
        if ends is not None and (ends[0] > 0 or ends[1] < 0):
            verdict = "better" if sign * value > 0 else "worse"
        points = show_cell(Quantity(value=value, unit="points"), with_unit=False)
        low, high = ends or (None, None)
        words = show_cell(Quantity(value=value, unit="points", low=low, high=high), with_unit=False)
        cells.append({"row": row, "column": column, "points": points, "words": words, "verdict": verdict})
    return cells
