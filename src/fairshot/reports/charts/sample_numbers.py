"""Measures of samples against how many there are of a class: a panel for each measure, on a log scale."""

import altair as alt
from altair.typing import ChartType

from fairshot.reports.charts.chart import themed
from fairshot.reports.charts.panels import Panel, Point, Style, grid
from fairshot.reports.charts.theme import INK, colours
from fairshot.results.schema import Result
from fairshot.results.study_rows import SampleRow
from fairshot.scoring.sample_scores import HUMAN

PANELS = {
    "frechet": ("FID", "~r"),
    "extrapolated": ("FID at infinity", "~r"),
    "inception": ("IS", "~r"),
    "diversity": ("diversity", "~r"),
    "corrected": ("diversity / c4", "~r"),
    "recognizability": ("recognizability", "~%"),
}
"""By metric, the title and the format of the numbers upwards."""
COLUMNS = 3
MARKED = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)  # round numbers of samples


def sample_number_chart(result: Result) -> ChartType:
    """A curve for each set, people in the colour of text."""
    rows = [row for row in result.rows if isinstance(row, SampleRow)]
    panels = []
    for metric, (title, digits) in PANELS.items():
        points = [Point(row.learner, row.samples, row.number) for row in rows if row.metric == metric]
        panels.append(Panel(title, points, digits))
    sets = [name for name in dict.fromkeys(row.learner for row in result.rows) if name != HUMAN]
    palette = {HUMAN: INK, **dict(zip(sets, colours(len(sets)), strict=True))}
    marks = alt.Axis(values=MARKED, format="d")
    across = alt.X("x:Q").scale(type="log", nice=False).axis(marks)
    chart = grid(panels, Style(across, "samples a class", palette, width=205), COLUMNS)
    return themed(chart, "Six measures of sets of samples against the number of samples of a class")
