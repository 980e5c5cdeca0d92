"""What becomes of every chart: its theme, and files of it that need nothing beside them."""

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import altair as alt
import vl_convert
from altair.typing import ChartType

from fairshot.reports.charts.theme import CONFIG, DARK_STYLE
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.files import complete_file

PNG_SCALE = 2  # pixels of a PNG for one of the chart: sharp on the screens of today
# What XML 1.0 and UTF-8 have no place for: control characters, halves of surrogate pairs, and two that are none.
UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
REPLACEMENT = "\ufffd"
Spec = dict[str, Any]


def themed(chart: ChartType, description: str) -> ChartType:
    """The chart as all look, with a description for those who cannot see it."""
    chart = chart.copy(deep=False)
    chart.config = _config()
    chart.description = description
    return chart


@cache
def _config() -> alt.Config:
    return alt.Config.from_dict(CONFIG, validate=False)


class Rows(alt.Data):
    """Rows that all copies of a chart share: layers and panels copy what they are made of, and nobody changes rows."""

    def __deepcopy__(self, memo: Any) -> "Rows":
        return self


def table(rows: list[dict[str, Any]]) -> alt.Data:
    """Rows as the data of a chart; names stand in values and never in the names of fields, so any name will do."""
    return Rows(values=rows)  # type: ignore[no-untyped-call]  # the library has no types for it


def caption(text: str) -> alt.Chart:
    """A title for one of several panels, at the same height above all of them, however far their numbers reach."""
    mark = alt.Chart(table([{"caption": text}])).mark_text(align="left", baseline="bottom", dy=-8, fontWeight="bold")
    return mark.encode(x=alt.value(0), y=alt.value(0), text="caption:N")


def to_spec(chart: ChartType) -> Spec:
    """The Vega-Lite specification, as plain values that JSON can hold, with printable text alone."""
    # Its parts were compared with the schema when they were made; once more for the whole takes half of a page's time.
    return _printable(chart.to_dict(validate=False))


def to_svg(chart: ChartType) -> str:
    """An SVG for light and dark pages; the same chart gives the same text."""
    return draw_spec(to_spec(chart))


def draw_spec(spec: Spec) -> str:
    """The same of a specification."""
    # A sentence says more than a label on each of a thousand marks.
    spec = spec | {"config": spec["config"] | {"aria": False}}
    head, rest = vl_convert.vegalite_to_svg(spec).split(">", 1)
    title = f"<title>{escape(str(spec.get('description', '')))}</title>"
    body = re.sub(r"<[^>]*>", _rounded, rest).replace("><", ">\n<")
    return f'{head} role="img">\n{title}\n<style>{DARK_STYLE}</style>\n{body}\n'


def to_png(chart: ChartType) -> bytes:
    """The light form in pixels."""
    return vl_convert.svg_to_png(to_svg(chart), scale=PNG_SCALE)


@cache
def library() -> str:
    """What draws charts on a page: all of Vega on window. Putting it together takes two seconds, so it is done once."""
    bundle: str = vl_convert.javascript_bundle()  # type: ignore[call-arg]  # without a snippet
    return bundle


def to_html(chart: ChartType) -> str:
    """A page with the chart and the library that draws it inside: it asks no network."""
    spec = to_spec(chart)
    # A name may hold "</script>", which would end the script in the middle of it.
    inline = json.dumps(spec).replace("<", "\\u003c")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{escape(str(spec.get('description', 'chart')))}</title>\n"
        f"<style>body{{margin:1em;color-scheme:light dark}}{DARK_STYLE}</style>\n"
        f"<script>{library()}</script>\n</head>\n"
        '<body>\n<div id="chart"></div>\n'
        f'<script>vegaEmbed("#chart", {inline}, {{renderer: "svg", actions: false}});</script>\n</body>\n</html>\n'
    )


def save(chart: ChartType, path: Path) -> None:
    """Writes the chart in the format that the file's name asks for, or leaves what was there."""
    makers: dict[str, Callable[[ChartType], str | bytes]]
    makers = {".svg": to_svg, ".png": to_png, ".html": to_html, ".json": _to_json}
    if path.suffix not in makers:
        raise FairshotError(f"a chart is written as {', '.join(makers)}, and {path} is none: name it {path.stem}.svg")
    content = makers[path.suffix](chart)
    with complete_file(path) as unfinished:
        unfinished.write_bytes(content if isinstance(content, bytes) else content.encode())


def _to_json(chart: ChartType) -> str:
    return json.dumps(to_spec(chart), indent=1) + "\n"


def _printable(value: Any) -> Any:
    """The same value with a replacement for every character that a file could not hold."""
    if isinstance(value, str):
        return UNPRINTABLE.sub(REPLACEMENT, value)
    if isinstance(value, list):
        return [_printable(item) for item in value]
    return {key: _printable(item) for key, item in value.items()} if isinstance(value, dict) else value


def _rounded(tag: re.Match[str]) -> str:
    """A tag with places to a hundredth of a pixel: what lies below differs from one processor to another."""
    return re.sub(r"\d+\.\d{3,}", lambda number: f"{float(number[0]):.2f}".rstrip("0").rstrip("."), tag[0])
