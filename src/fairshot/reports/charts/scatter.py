"""Two numbers a class against each other: a panel for each pair that a study compared."""

from collections.abc import Sequence

import altair as alt
from altair.typing import ChartType

from fairshot.reports.charts.chart import caption, table, themed
from fairshot.reports.charts.theme import SKY
from fairshot.results.schema import Result
from fairshot.results.study_rows import CriticResult

COLUMNS, WIDTH, HEIGHT = 4, 140, 120


def scatter_chart(result: Result) -> ChartType:
    """A point for each class, and both correlations above a panel."""
    assert isinstance(result, CriticResult)
    by_class = result.by_class
    values = {(row.learner, row.task, row.metric): row.value for row in result.rows}
    panels = []
    for first, second in dict.fromkeys((row.learner, row.task) for row in result.rows if row.metric == "spearman"):
        if first not in by_class:  # all entries of all episodes are too many to be drawn
            continue
        rank, line = (values[first, second, statistic] for statistic in ("spearman", "pearson"))
        title = "no order" if rank is None or line is None else f"ρ {rank:.2f}, r {line:.2f}"
        panels.append(_panel(title, (first, by_class[first]), (second, by_class[second])))
    chart = alt.concat(
        *panels,
        columns=COLUMNS,
        bounds="flush",
        spacing={"row": 76, "column": 66},
        title=alt.Title(
            "Do critics agree on classes?",
            subtitle="A point is a class of drawings by people. ρ: rank correlation, r: linear correlation",
        ),
    )
    return themed(chart, "Every class of drawings by two measures, for each pair of measures that was compared")


def _panel(title: str, across: tuple[str, Sequence[float]], up: tuple[str, Sequence[float]]) -> alt.LayerChart:
    """The first to the right, the second upwards."""
    rows = [{"x": x, "y": y} for x, y in zip(across[1], up[1], strict=True)]
    few = alt.Axis(tickCount=3, format="~r")
    points = (
        alt.Chart(table(rows), width=WIDTH, height=HEIGHT)
        .mark_circle(size=22, opacity=0.6, color=SKY)
        .encode(
            x=alt.X("x:Q").scale(zero=False).axis(few).title(across[0]),
            y=alt.Y("y:Q").scale(zero=False).axis(few).title(up[0]),
        )
    )
    return points + caption(title)
