"""The place of every learner on every benchmark: a line that crosses others says that benchmarks do not agree."""

from collections.abc import Sequence
from typing import Any

import altair as alt
from altair.typing import ChartType

from fairshot.reports.charts.chart import table, themed
from fairshot.reports.charts.theme import colours, shapes
from fairshot.results.study_rows import RankRow

COLUMN, ROW, SHIFT = 76, 46, 6  # pixels between two places, between two benchmarks, and between two learners


def place_chart(rows: Sequence[RankRow]) -> ChartType:
    """Benchmarks in the distribution of training first; bars are the places that a learner could have."""
    rows = sorted((row for row in rows if row.rank is not None), key=lambda row: row.side)
    learners = list(dict.fromkeys(row.learner for row in rows))
    benchmarks = list(dict.fromkeys(_name(row) for row in rows))
    last = max(row.ranks[1] for row in rows)
    down = alt.Y("benchmark:N").sort(benchmarks).title(None).axis(labelLimit=300).scale(padding=0)
    scale = alt.Scale(nice=False, zero=False, domain=[0.7, last + 0.3])
    across = alt.X("rank:Q").title("place").scale(scale)
    across = across.axis(values=list(range(1, last + 1)), format="d", orient="top", grid=True)
    legend = alt.Legend(title=None, orient="right", symbolSize=90, symbolOpacity=1)
    colour = alt.Color("learner:N").scale(domain=learners, range=colours(len(learners))).legend(legend)
    shape = alt.Shape("learner:N").scale(domain=learners, range=shapes(len(learners))).legend(legend)
    # A band begins at its upper edge: half of it lies between there and its name.
    offset = alt.YOffset("shift:Q").scale(None)
    base = alt.Chart(table([_mark(row, learners, benchmarks) for row in rows])).encode(
        y=down, yOffset=offset, color=colour
    )
    hints = [alt.Tooltip(f"{name}:N") for name in ("learner", "benchmark", "rank", "best", "worst")]
    hints.append(alt.Tooltip("accuracy:Q", format=".1%"))
    bars = base.mark_rule(strokeWidth=5, opacity=0.35).encode(x=alt.X("best:Q").scale(scale), x2="worst:Q")
    lines = base.mark_line(opacity=0.6).encode(x=across, order="at:Q")
    points = base.mark_point(size=80).encode(x=across, shape=shape, tooltip=hints)
    title = alt.Title(
        "Who is best where?", subtitle="the place of each learner; bars: the places that it could have as well"
    )
    size = {"width": COLUMN * last, "height": ROW * len(benchmarks)}
    chart = alt.layer(bars, lines, points).properties(title=title, **size)
    return themed(chart, f"The places of {', '.join(learners)} on {len(benchmarks)} benchmarks")


def _mark(row: RankRow, learners: Sequence[str], benchmarks: Sequence[str]) -> dict[str, Any]:
    return {
        "learner": row.learner,
        "benchmark": _name(row),
        "rank": row.rank,
        "best": row.ranks[0],
        "worst": row.ranks[1],
        "accuracy": row.value,
        "at": benchmarks.index(_name(row)),
        "shift": ROW / 2 + SHIFT * (learners.index(row.learner) - (len(learners) - 1) / 2),
    }


def _name(row: RankRow) -> str:
    return f"{row.task} ({row.side})"
