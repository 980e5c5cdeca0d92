"""Drawings of a few concepts on a map of neighbours: coloured by concept, exemplars framed."""

import colorsys
from collections.abc import Sequence

import altair as alt
import numpy as np
from altair.typing import ChartType
from jaxtyping import Bool

from fairshot.reports.charts.chart import table, themed
from fairshot.reports.charts.drawings import Colour, in_colour
from fairshot.reports.charts.labels import short
from fairshot.reports.charts.theme import INK, PAPER
from fairshot.scoring.concepts import NeighbourMap

SIDE, CELL, LINE = 600, 25, 18  # pixels of the map, of a drawing, and from one name to the next
LIGHTNESS = (0.28, 0.14)  # luminance with a contrast of 3 to 1 to white paper, and to dark
GAMMA = 2.2  # of screens
ACROSS, DOWN = alt.X("x:Q").scale(None).axis(None), alt.Y("y:Q").scale(None).axis(None)  # in pixels


def neighbour_chart(seen: NeighbourMap, title: str) -> ChartType:
    """All drawings where they belong, exemplars on top of others."""
    shades = _colours(len(seen.names))
    small = _halved(seen.drawings < 128)
    rows = [
        {
            "x": float(x) * SIDE,
            "y": float(y) * SIDE,
            "drawing": in_colour(small[number], shades[seen.labels[number]]),
            "exemplar": bool(seen.exemplar[number]),
        }
        for number, (x, y) in enumerate(seen.places)
    ]
    base = alt.Chart(table(rows)).encode(x=ACROSS, y=DOWN)
    drawings = base.mark_image(width=CELL, height=CELL).encode(url="drawing:N")
    frames = base.mark_point(shape="square", size=(CELL + 4) ** 2, fill=PAPER, stroke=INK, strokeWidth=1.5)
    heading = alt.Title(
        title, subtitle="t-SNE of a critic's features, fitted on the drawings of all classes; framed: exemplars"
    )
    chart = alt.layer(
        drawings.transform_filter("!datum.exemplar"),
        frames.transform_filter("datum.exemplar"),
        drawings.transform_filter("datum.exemplar"),
        *_legend(seen.names, shades),
    )
    return themed(chart.properties(width=SIDE, height=SIDE, title=heading), f"Neighbours among {title}")


def _legend(names: Sequence[str], shades: Sequence[Colour]) -> tuple[alt.Chart, alt.Chart]:
    """A line for each class to the right of the map; names that are alike once they are short stay two lines."""
    rows = [
        {"x": SIDE + 30, "y": 10 + LINE * number, "name": short(name, 28), "colour": f"rgb{shade}"}
        for number, (name, shade) in enumerate(zip(names, shades, strict=True))
    ]
    base = alt.Chart(table(rows)).encode(x=ACROSS, y=DOWN)
    squares = base.mark_square(size=110, opacity=1).encode(color=alt.Color("colour:N").scale(None))
    return squares, base.mark_text(align="left", dx=12).encode(text="name:N")


def _colours(count: int) -> list[Colour]:
    """As far apart as hues can be, neighbours of different lightness, and all to be seen on light and dark paper."""
    return [_shade(number / count, LIGHTNESS[number % 2]) for number in range(count)]


def _shade(hue: float, luminance: float) -> Colour:
    """The colour of a hue that is as light to the eye as asked: found by halving, for it grows with lightness."""
    low, high = 0.0, 1.0
    for _ in range(12):
        middle = (low + high) / 2
        red, green, blue = colorsys.hls_to_rgb(hue, middle, 0.8)
        light = 0.2126 * red**GAMMA + 0.7152 * green**GAMMA + 0.0722 * blue**GAMMA
        low, high = (middle, high) if light < luminance else (low, middle)
    return round(255 * red), round(255 * green), round(255 * blue)


def _halved(ink: Bool[np.ndarray, "drawing height width"]) -> Bool[np.ndarray, "drawing half_height half_width"]:
    """Half as large: ink where any of four pixels has some."""
    even = np.pad(ink, ((0, 0), (0, ink.shape[1] % 2), (0, ink.shape[2] % 2)))
    return even[:, ::2, ::2] | even[:, 1::2, ::2] | even[:, ::2, 1::2] | even[:, 1::2, 1::2]
