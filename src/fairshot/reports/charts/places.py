"""The place of every learner on every benchmark: a line that crosses others says that benchmarks do not agree."""

from collections.abc import Sequence

import altair as alt
from altair.typing import ChartType

from fairshot.reports.charts.chart import table, themed
from fairshot.reports.charts.theme import colours, shapes
from fairshot.results.study_rows import RankRow

COLUMN, ROW = 92, 44  # pixels between two benchmarks, and between two places
SIDES = {"in": "in distribution", "out": "out of distribution"}


def place_chart(rows: Sequence[RankRow]) -> ChartType:
    """Benchmarks in the distribution of training first; bars are the places that a learner could have."""
    rows = sorted((row for row in rows if row.rank is not None), key=lambda row: row.side)
    learners = list(dict.fromkeys(row.learner for row in rows))
    benchmarks = list(dict.fromkeys(_name(row) for row in rows))
    values = [
        {
            "learner": row.learner,
            "benchmark": _name(row),
            "rank": row.rank,
            "best": row.ranks[0],
            "worst": row.ranks[1],
            "accuracy": row.value,
            "shift": 5 * (learners.index(row.learner) - (len(learners) - 1) / 2),
        }
        for row in rows
    ]
    last = max(row.ranks[1] for row in rows)
    axis = alt.Axis(labelAngle=-30, labelLimit=240, labelAlign="right")
    across = alt.X("benchmark:N").sort(benchmarks).title(None).axis(axis).scale(padding=0.5)
    up = alt.Y("rank:Q").title("place").scale(reverse=True, nice=False, domain=[0.7, last + 0.3])
    up = up.axis(values=list(range(1, last + 1)), format="d")
    legend = alt.Legend(title=None, orient="right", symbolSize=90)
    colour = alt.Color("learner:N").sort(learners).scale(domain=learners, range=colours(len(learners))).legend(legend)
    shape = alt.Shape("learner:N").sort(learners).scale(domain=learners, range=shapes(len(learners))).legend(legend)
    base = alt.Chart(table(values)).encode(x=across, color=colour, xOffset=alt.XOffset("shift:Q").scale(None))
    hints = [alt.Tooltip(f"{name}:N") for name in ("learner", "benchmark", "rank", "best", "worst")]
    hints.append(alt.Tooltip("accuracy:Q", format=".1%"))
    bars = base.mark_rule(strokeWidth=4, opacity=0.35).encode(y=alt.Y("best:Q"), y2="worst:Q")
    lines = base.mark_line(opacity=0.7).encode(y=up)
    points = base.mark_point(size=80).encode(y=up, shape=shape, tooltip=hints)
    title = alt.Title(
        "Who is best where?", subtitle="the place of each learner; bars: the places that it could have as well"
    )
    size = {"width": COLUMN * len(benchmarks), "height": ROW * last}
    chart = alt.layer(bars, lines, points).properties(title=title, **size)
    return themed(chart, f"The places of {', '.join(learners)} on {len(benchmarks)} benchmarks")


def _name(row: RankRow) -> str:
    return f"{row.task} ({row.side})"
