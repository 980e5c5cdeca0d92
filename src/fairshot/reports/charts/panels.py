"""Small panels with curves side by side, each with a scale of its own, below one legend."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt

from fairshot.reports.charts.chart import caption, table

HEIGHT, BAND = 120, 0.22  # pixels of a panel; the opacity of a band
WHOLE, DASHED = (1, 0), (5, 3)


@dataclass(frozen=True)
class Point:
    """One value of a curve, with its interval where it has one."""

    curve: str
    x: float | int
    y: float
    interval: tuple[float, float] | None = None

    def row(self) -> dict[str, Any]:
        """Its values by the names that encodings use."""
        ends = {} if self.interval is None else {"low": self.interval[0], "high": self.interval[1]}
        return {"curve": self.curve, "x": self.x, "y": self.y, **ends}


@dataclass(frozen=True)
class Panel:
    """Curves by name."""

    title: str
    points: Sequence[Point]
    format: str = "~r"
    """Of the numbers upwards, as d3-format writes it."""


@dataclass(frozen=True)
class Style:
    """What all panels share."""

    across: alt.X
    """The axis to the right, of the field x."""
    title: str
    """What stands below it, once in a column."""
    colours: Mapping[str, str]
    """By curve; the legend names those that there are, in this order."""
    width: int
    """Of a panel, in pixels."""
    dashed: Sequence[str] = ()
    """Curves that have a colour together with another, and are told from it by dashes."""


def grid(panels: Sequence[Panel], style: Style, columns: int) -> alt.ConcatChart:
    """All panels, row by row."""
    there = {point.curve for panel in panels for point in panel.points}
    names = [name for name in style.colours if name in there]
    legend = alt.Legend(title=None, orient="top", symbolSize=300, symbolType="stroke", symbolOpacity=1, offset=24)
    shades = [style.colours[name] for name in names]
    patterns = [DASHED if name in style.dashed else WHOLE for name in names]
    colour = alt.Color("curve:N").scale(domain=names, range=shades).legend(legend)
    dash = alt.StrokeDash("curve:N").scale(domain=names, range=patterns).legend(legend)
    lowest = len(panels) - columns  # the first panel with nothing below it
    charts = [
        _panel(panel, colour, dash, style.width).encode(x=style.across.title(style.title if number >= lowest else None))
        for number, panel in enumerate(panels)
    ]
    return alt.concat(*charts, columns=columns, bounds="flush", spacing={"row": 58, "column": 50})


def _panel(panel: Panel, colour: alt.Color, dash: alt.StrokeDash, width: int) -> alt.LayerChart:
    rows = [point.row() for point in panel.points]
    base = alt.Chart(table(rows), width=width, height=HEIGHT).encode(color=colour)
    up = alt.Y("y:Q").scale(zero=False).axis(format=panel.format, tickCount=4).title(None)
    lines = base.mark_line().encode(y=up, strokeDash=dash)
    if not any(point.interval for point in panel.points):
        return lines + caption(panel.title)
    bands = base.mark_area(opacity=BAND).encode(y=alt.Y("low:Q"), y2="high:Q")
    return bands + lines + caption(panel.title)
