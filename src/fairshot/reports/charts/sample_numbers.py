"""Measures of samples against how many there are of a class: a panel for each measure, on a log scale."""

import math

from fairshot.reports.charts.panels import Panel, drawn
from fairshot.results.schema import Result
from fairshot.results.study_rows import SampleRow

COLOURS = ("#000000", "#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7")
PANELS = {
    "frechet": ("FID", 1),
    "extrapolated": ("FID at infinity", 1),
    "inception": ("IS", 1),
    "diversity": ("diversity", 2),
    "corrected": ("diversity / c4", 2),
    "recognizability": ("recognizability", 2),
}
"""By metric, the title and the digits."""
ACROSS = 3


def picture(result: Result) -> str:
    """An SVG with a curve for each set, three panels across."""
    rows = [row for row in result.rows if isinstance(row, SampleRow)]
    numbers = [row.samples for row in rows]
    few, many = min(numbers), max(numbers)
    colours = dict(zip(dict.fromkeys(row.learner for row in rows), COLOURS, strict=False))
    panels = []
    for metric, (title, digits) in PANELS.items():
        curves: dict[str, list[tuple[float, float]]] = {}
        for row in rows:
            if row.metric == metric:
                where = math.log(row.samples / few) / math.log(many / few)
                curves.setdefault(row.learner, []).append((where, row.number))
        panels.append(Panel(title, curves, (str(few), f"{many} samples a class"), digits))
    return drawn(panels, colours, ACROSS)
