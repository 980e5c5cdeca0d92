"""Both axes of every concept against the length of people's lines, which says how much there is to draw."""

import altair as alt
import numpy as np
from altair.typing import ChartType
from scipy import stats

from fairshot.reports.charts.chart import caption, table, themed
from fairshot.reports.charts.labels import short
from fairshot.reports.charts.theme import SKY
from fairshot.results.study_rows import SampleResult

COLUMNS, WIDTH, HEIGHT = 4, 140, 110
FORMATS = {"diversity": "~r", "recognizability": "~%"}


def line_length_chart(result: SampleResult, critic: str) -> ChartType:
    """A point for each concept, and the rank correlation above each panel."""
    lengths, panels = result.classes.line_length, []
    for axis, digits in FORMATS.items():
        for model, values in result.class_means(critic).items():
            rows = [{"x": x, "y": y} for x, y in zip(lengths, values[axis], strict=True)]
            up = alt.Y("y:Q").scale(zero=False).axis(tickCount=3, format=digits).title(axis)
            across = alt.X("x:Q").scale(zero=False).axis(tickCount=3).title("line length, pixels")
            dots = alt.Chart(table(rows), width=WIDTH, height=HEIGHT).mark_circle(size=20, opacity=0.6, color=SKY)
            panels.append(dots.encode(x=across, y=up) + caption(f"{short(model)}, ρ {_rank(lengths, values[axis])}"))
    title = alt.Title(
        f"Concepts by how much there is to draw, critics {critic}", subtitle="a point is a class; ρ: rank correlation"
    )
    chart = alt.concat(*panels, columns=COLUMNS, bounds="flush", spacing={"row": 76, "column": 66}, title=title)
    return themed(chart, "Diversity and recognizability of concepts against the length of their lines, by model")


def _rank(one: list[float], other: list[float]) -> str:
    return f"{stats.spearmanr(one, other).statistic:.2f}" if np.ptp(other) > 0 else "none"
