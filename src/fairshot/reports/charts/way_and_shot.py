"""Accuracy against the ways of an episode and the shots of a class: Figs. 3 to 5 of Triantafillou et al. 2018."""

from dataclasses import dataclass
from typing import Any, Literal

import altair as alt
from altair.typing import ChartType

from fairshot.reports.charts.chart import table, themed
from fairshot.reports.charts.theme import INK, TEXT, colours, dashes, shapes
from fairshot.results.source_rows import CurvePoint, ManySourcesResult

WIDTH, HEIGHT, BAND = 280, 240, 0.16  # pixels of a panel; the opacity of a band


@dataclass(frozen=True)
class Axis:
    """What stands below the curves."""

    title: str
    scale: Literal["log", "linear"]
    marked: tuple[int, ...]
    """Numbers that get a tick, where curves reach them."""

    def place(self, point: CurvePoint) -> float:
        """The middle of a bin, as the scale has it."""
        if self.scale == "log":
            return float((point.low_x * point.high_x) ** 0.5)
        return (point.low_x + point.high_x) / 2


AXES = {
    "way": Axis("ways of an episode", "linear", (5, 10, 15, 20, 30, 40, 50)),
    "shot": Axis("shots of a class (log scale)", "log", (1, 2, 5, 10, 20, 50, 100)),
}


def way_and_shot(result: ManySourcesResult, axis: str) -> ChartType:
    """A panel for each of the three settings, a curve with its band for each learner, and one scale for all."""
    points = [point for point in result.points if point.axis == axis]
    learners, settings = (
        list(dict.fromkeys(getattr(point, name) for point in points)) for name in ("learner", "setting")
    )
    count, about = len(learners), AXES[axis]
    legend = alt.Legend(title=None, orient="top", columns=4, symbolSize=80, symbolOpacity=1)
    colour = alt.Color("learner:N").scale(domain=learners, range=colours(count)).legend(legend)
    shape = alt.Shape("learner:N").scale(domain=learners, range=shapes(count)).legend(legend)
    dash = alt.StrokeDash("learner:N").scale(domain=learners, range=dashes(count)).legend(None)
    across = alt.X("x:Q").scale(type=about.scale, zero=False, nice=False, padding=8).title(about.title)
    base = alt.Chart(width=WIDTH, height=HEIGHT).encode(
        x=across.axis(values=list(about.marked), format="d"), color=colour
    )
    up = alt.Y("value:Q").scale(zero=False, padding=8).axis(format="~%", tickCount=6).title("accuracy")
    bands = base.mark_area(opacity=BAND).encode(y=alt.Y("low:Q"), y2="high:Q")
    lines = base.mark_line().encode(y=up, strokeDash=dash)
    tooltip = [alt.Tooltip("learner:N"), alt.Tooltip("bin:N", title=axis), alt.Tooltip("value:Q", format=".1%")]
    marks = base.mark_point().encode(y=up, shape=shape, tooltip=tooltip)
    header = alt.Header(labelColor=INK, labelFontSize=TEXT, labelFontWeight="bold", labelAnchor="start")
    facet = alt.Facet("setting:N").sort([_panel(setting) for setting in settings]).title(None).header(header)
    chart = alt.layer(bands, lines, marks, data=table([_row(point, about) for point in points])).facet(
        facet=facet, columns=3, spacing=24
    )
    return themed(chart, f"Accuracy against {about.title} of {', '.join(learners)}, with bands for more episodes")


def _panel(setting: str) -> str:
    return f"trained on {setting}"


def _row(point: CurvePoint, axis: Axis) -> dict[str, Any]:
    low, high = point.interval or (None, None)
    extent = [f"{end:g}" for end in dict.fromkeys((point.low_x, point.high_x))]
    about = {"setting": _panel(point.setting), "learner": point.learner, "bin": " to ".join(extent)}
    return {**about, "x": axis.place(point), "value": point.value, "low": low, "high": high}
