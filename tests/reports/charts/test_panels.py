"""Small panels side by side."""

import altair as alt

from fairshot.reports.charts.panels import Panel, Point, Style, grid
from tests.panels import datasets


def test_a_legend_names_what_there_is_and_bands_are_drawn_where_there_are_intervals() -> None:
    points = [Point("b", x, y, (y - 1, y + 1)) for x, y in ((1, 3.0), (2, 4.0))]
    style = Style(alt.X("x:Q"), "step", {"a": "#111111", "b": "#222222"}, width=100, dashed=["b"])
    spec = grid([Panel("one", points), Panel("two", [Point("b", 1, 3.0)]), Panel("three", points)], style, 2).to_dict()
    first, second, third = spec["concat"]
    assert [layer["mark"]["type"] for layer in first["layer"]] == ["area", "line", "text"]
    assert [layer["mark"]["type"] for layer in second["layer"]] == ["line", "text"]
    titles = [panel["encoding"]["x"]["title"] for panel in (first, second, third)]
    assert titles == [None, "step", "step"], "once in a column"
    assert first["layer"][0]["encoding"]["color"]["scale"] == {"domain": ["b"], "range": ["#222222"]}
    assert next(datasets(first))[0] == {"curve": "b", "x": 1, "y": 3.0, "low": 2.0, "high": 4.0}
