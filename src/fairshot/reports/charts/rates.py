"""How often classes are answered right, or pairs of them taken for each other: a dot and an interval for each."""

from collections.abc import Sequence

import altair as alt
from altair.typing import ChartType

from fairshot.reports.charts.chart import table, themed
from fairshot.reports.charts.theme import BLUE, SOFT
from fairshot.statistics.estimate import LEVEL
from fairshot.statistics.per_class import Rate
from fairshot.tables.words import at_level

WIDTH, STEP = 280, 20


def rate_chart(rates: Sequence[Rate], title: str, measure: str) -> ChartType:
    """In the order given; a ring is what is expected of the class once bad luck is taken off."""
    rows = [
        {"name": rate.name, "value": rate.value, "low": rate.low, "high": rate.high, "expected": rate.shrunken}
        for rate in rates
    ]
    place = alt.Y("name:N").sort([rate.name for rate in rates]).title(None).axis(labelLimit=260)
    said = f"bars: {at_level(LEVEL)} for more episodes; rings: expected without luck"
    heading = alt.Title(title, subtitle=said, frame="bounds")
    base = alt.Chart(table(rows), width=WIDTH, height=alt.Step(STEP), title=heading).encode(y=place)
    axis = alt.X("low:Q").title(measure).axis(format="~%", grid=True, tickCount=6)
    shares = [alt.Tooltip(f"{name}:Q", format=".1%") for name in ("value", "low", "high", "expected")]
    hints = [alt.Tooltip("name:N"), *shares]
    bars = base.mark_rule(strokeWidth=2, color=BLUE).encode(x=axis, x2="high:Q", tooltip=hints)
    dots = base.mark_point(color=BLUE).encode(x="value:Q", tooltip=hints)
    rings = base.mark_point(color=SOFT, filled=False, size=90).encode(x="expected:Q", tooltip=hints)
    return themed(bars + rings + dots, f"{title}: {measure} of {', '.join(rate.name for rate in rates)}")
