"""A chart on a page: drawn already, for print and for pages without scripts, and alive where scripts may run."""

import json
from collections.abc import Sequence

from altair.typing import ChartType

from fairshot.reports.charts.chart import draw_spec, to_spec
from fairshot.tables.html import escape

MARK = 'class="chart"'  # by which a page knows that it holds a chart


def figure(chart: ChartType, caption: str = "") -> str:
    """The chart as SVG, with its specification beside it, which a script on the page draws anew."""
    spec = to_spec(chart)
    # A name may hold "</script>", which would end the script in the middle of it.
    inline = json.dumps(spec).replace("<", "\\u003c")
    below = f"<figcaption>{escape(caption)}</figcaption>" if caption else ""
    data = f'<script type="application/json">{inline}</script>'
    return f'<figure {MARK}><div class="drawn">{_only_once(draw_spec(spec))}</div>{data}{below}</figure>'


def figures(drawn: Sequence[str], said: str = "") -> str:
    """Figures side by side, as many as the screen has room for, below a line about all of them."""
    above = f'<p class="soft">{escape(said)}</p>' if said else ""
    return f'{above}<div class="figures">{"".join(drawn)}</div>' if drawn else ""


def _only_once(svg: str) -> str:
    """An SVG without the style sheet that the page has for all of them."""
    before, _, rest = svg.partition("<style>")
    return before + rest.partition("</style>")[2] if rest else svg
