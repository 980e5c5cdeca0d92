"""How often other classes reverse a comparison, against how far apart the two learners truly are."""

from collections.abc import Sequence

import altair as alt
from altair.typing import ChartType

from fairshot.reports.charts.chart import themed
from fairshot.reports.charts.panels import Panel, Point, Style, grid
from fairshot.reports.charts.theme import colours
from fairshot.results.study_rows import FlipRow

COLUMNS = 3
PREDICTED = ", predicted"


def flip_chart(rows: Sequence[FlipRow]) -> ChartType:
    """A panel for each benchmark, a curve for each number of classes that are drawn; dashed: what is predicted."""
    drawn = list(dict.fromkeys(map(_drawn, rows)))
    palette = dict(zip(drawn, colours(len(drawn)), strict=True))
    names = {curve: colour for name, colour in palette.items() for curve, colour in _both(name, colour)}
    panels: dict[str, list[Point]] = {}
    for row in sorted(rows, key=lambda row: row.gap):
        points = panels.setdefault(row.part, [])
        gap = 100 * row.gap
        points.append(Point(_drawn(row), gap, row.number, row.intervals.get("sets")))
        if row.predicted is not None:
            points.append(Point(_drawn(row) + PREDICTED, gap, row.predicted))
    across = alt.X("x:Q").scale(zero=True, nice=True).axis(tickCount=5)
    style = Style(across, "true lead, points", names, width=200, dashed=[name + PREDICTED for name in drawn])
    charts = [Panel(part, points, "~%") for part, points in panels.items()]
    return themed(
        grid(charts, style, COLUMNS), "How often drawn classes show the worse learner ahead, by its true lead"
    )


def _both(name: str, colour: str) -> list[tuple[str, str]]:
    return [(name, colour), (name + PREDICTED, colour)]


def _drawn(row: FlipRow) -> str:
    """What is drawn anew: classes, or images of each."""
    return f"{row.images} images per class" if row.novel_classes is None else f"{row.novel_classes} classes"
