"""What more classes would do: half the width of the interval against their number, on a scale of doublings."""

from collections.abc import Sequence
from typing import Any

import altair as alt
from altair.typing import ChartType

from fairshot.audits.findings import POINT, Precision
from fairshot.reports.charts.chart import table, themed
from fairshot.reports.charts.theme import BLUE, INK, LINE, VERMILLION

WIDTH, HEIGHT = 480, 240
NAMES = {"mean": "a mean", "difference": "a difference of two learners"}


def precision_chart(curve: Sequence[Precision], units: str, there: int) -> ChartType:
    """A curve for a mean and one for a difference; marked are one point and how many there are now."""
    points = [row for precision in curve for row in _values(precision)]
    legend = alt.Legend(title=None, orient="bottom")
    colour = alt.Color("what:N").legend(legend).scale(domain=list(NAMES.values()), range=[BLUE, VERMILLION])
    across = alt.X("units:Q").scale(type="log", nice=False, padding=14).title(f"{units} (log scale)")
    across = across.axis(values=[precision.units for precision in curve], format="d")
    up = alt.Y("width:Q").axis(tickCount=6).title("half-width, points")
    base = alt.Chart(table(points)).encode(x=across, y=up, color=colour)
    shape = alt.Shape("what:N").scale(domain=list(NAMES.values()), range=["circle", "square"]).legend(legend)
    tooltip = [alt.Tooltip("what:N"), alt.Tooltip("units:Q"), alt.Tooltip("width:Q", format=".2f")]
    lines = base.mark_line()
    marks = base.mark_point().encode(shape=shape, tooltip=tooltip)
    goal, now = _rule({"width": 100 * POINT}, "y"), _rule({"units": there}, "x")
    words = alt.Chart(table([{"units": there, "text": f"now: {there:,}"}])).mark_text(baseline="bottom", color=INK)
    text = words.encode(x=across, y=alt.value(-4), text="text:N")
    said = "dashed: one point, and how many there are now"
    title = alt.Title(f"If there were more {units}", subtitle=said, offset=24)
    chart = alt.layer(goal, now, lines, marks, text).properties(width=WIDTH, height=HEIGHT, title=title)
    return themed(chart, f"Half-widths of intervals against the number of {units}")


def _values(precision: Precision) -> list[dict[str, Any]]:
    shares = {NAMES["mean"]: precision.mean, NAMES["difference"]: precision.difference}
    return [
        {"what": what, "units": precision.units, "width": 100 * share}
        for what, share in shares.items()
        if share is not None
    ]


def _rule(value: dict[str, float | int], channel: str) -> alt.Chart:
    (name,) = value
    place = alt.X(f"{name}:Q") if channel == "x" else alt.Y(f"{name}:Q")
    return alt.Chart(table([value])).mark_rule(color=LINE, strokeDash=[4, 3]).encode(**{channel: place})
