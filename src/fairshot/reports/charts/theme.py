"""How all charts look: one specification for light and dark pages.

Text, axes and paper have two shades, and an SVG carries a style sheet that changes one for the other where the reader
prefers dark pages. Paper is drawn too: where a page and a reader's preference differ, the chart is a card of its own,
and no text ever stands on a colour that it was not made for. Colours of data are the same on both: after Okabe and
Ito, who chose them for all eyes, those that are too light for white paper darkened until every one has a contrast of
3 to 1 with either paper. No chart tells things apart by colour alone where a shape or a dash can help.
"""

from typing import Any

INK, SOFT, LINE, FAINT, PAPER = "#1f2328", "#59636e", "#8c959f", "#d8dee4", "#ffffff"
"""Of text, of remarks, of axes, of grids, and what they stand on."""
DARK = {INK: "#f0f6fc", SOFT: "#9198a1", LINE: "#656c76", FAINT: "#2f353d", PAPER: "#0d1117"}
BLUE, VERMILLION, GREEN, PURPLE = "#0072b2", "#d55e00", "#009e73", "#cc79a7"
AMBER, SKY, VIOLET = "#b8860b", "#2f9bd6", "#8250df"
COLOURS = (BLUE, VERMILLION, GREEN, PURPLE, AMBER, SKY, VIOLET)
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right")
DASHES = ((1, 0), (6, 3), (2, 2))  # of curves, once all colours are in use

FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
"""The first has the widths of the others and is measured by the renderer wherever it runs."""
TEXT, HEADING = 12, 14  # pixels

DARK_STYLE = (
    "@media (prefers-color-scheme:dark){"
    + "".join(f'[{part}="{light}"]{{{part}:{dark}}}' for light, dark in DARK.items() for part in ("fill", "stroke"))
    + "}"
)
"""The style sheet of an SVG: presentation attributes give way to it."""

CONFIG: dict[str, Any] = {
    "background": PAPER,
    "font": FONT,
    "padding": 8,
    "view": {"stroke": None},
    "axis": {
        "labelColor": INK,
        "labelFontSize": TEXT,
        "titleColor": INK,
        "titleFontSize": TEXT,
        "titleFontWeight": "normal",
        "titlePadding": 8,
        "domainColor": LINE,
        "tickColor": LINE,
        "gridColor": FAINT,
        "labelPadding": 5,
    },
    "axisX": {"grid": False, "labelFlush": False},
    "axisY": {"domain": False, "ticks": False},
    "legend": {
        "labelColor": INK,
        "labelFontSize": TEXT,
        "titleColor": INK,
        "titleFontSize": TEXT,
        "titleFontWeight": "normal",
        "labelLimit": 220,
        "symbolStrokeWidth": 2,
    },
    "title": {
        "anchor": "start",
        "frame": "group",
        "color": INK,
        "fontSize": HEADING,
        "subtitleColor": SOFT,
        "subtitleFontSize": TEXT,
        "subtitlePadding": 4,
        "offset": 12,
    },
    "text": {"color": INK, "fontSize": TEXT},
    "line": {"strokeWidth": 2, "strokeJoin": "round"},
    "rule": {"color": INK},
    "point": {"size": 45, "filled": True, "opacity": 1},
    "area": {"line": False},
}


def colours(count: int) -> list[str]:
    """One for each of so many things, from the first again where there are more."""
    return [COLOURS[number % len(COLOURS)] for number in range(count)]


def shapes(count: int) -> list[str]:
    """The same for the shapes of points."""
    return [SHAPES[number % len(SHAPES)] for number in range(count)]


def dashes(count: int) -> list[tuple[int, int]]:
    """The same for dashes of lines: whole lines until the colours begin again."""
    return [DASHES[number // len(COLOURS) % len(DASHES)] for number in range(count)]
