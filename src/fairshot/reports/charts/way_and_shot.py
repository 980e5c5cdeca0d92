"""Accuracy against the ways of an episode and the shots of a class: Figs. 3 to 5 of Triantafillou et al. 2018."""

from typing import Literal

import altair as alt
from altair.typing import ChartType

from fairshot.reports.charts.chart import themed
from fairshot.reports.charts.panels import Panel, Point, Style, grid
from fairshot.reports.charts.theme import colours
from fairshot.results.source_rows import ManySourcesResult

AXES = {"way": "ways of an episode", "shot": "shots of a class (log scale)"}
WIDTH = 300


def way_and_shot(result: ManySourcesResult, axis: str) -> ChartType:
    """A panel for each of the three settings, a curve with its band for each learner."""
    points = [point for point in result.points if point.axis == axis]
    learners = list(dict.fromkeys(point.learner for point in points))
    panels = [
        Panel(
            f"trained on {setting}",
            [
                Point(point.learner, (point.low_x * point.high_x) ** 0.5, point.value, point.interval)
                for point in points
                if point.setting == setting
            ],
            "~%",
        )
        for setting in dict.fromkeys(point.setting for point in points)
    ]
    kind: Literal["log", "linear"] = "log" if axis == "shot" else "linear"
    across = alt.X("x:Q").scale(type=kind, zero=False, nice=False).axis(format="d")
    style = Style(across, AXES[axis], dict(zip(learners, colours(len(learners)), strict=True)), WIDTH)
    return themed(grid(panels, style, 3), f"Accuracy against {AXES[axis]} of {', '.join(learners)}, with bands")
