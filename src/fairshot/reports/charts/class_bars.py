"""Which classes are hard: the accuracy of each class with its interval, the hardest first."""

from collections.abc import Sequence

import altair as alt
from altair.typing import ChartType

from fairshot.reports.charts.chart import table, themed
from fairshot.reports.charts.theme import BLUE
from fairshot.statistics.per_class import Rate

WIDTH, STEP = 420, 18
MOST = 30  # classes that are shown


def class_chart(rates: Sequence[Rate], title: str) -> ChartType:
    """The hardest classes, or all where they are few."""
    shown = rates[:MOST]
    names = [rate.name for rate in shown]
    rows = [
        {"class": rate.name, "value": rate.value, "low": rate.low, "high": rate.high, "queries": rate.queries}
        for rate in shown
    ]
    which = f"the {len(shown)} hardest of {len(rates)} classes" if len(rates) > len(shown) else "all classes"
    base = alt.Chart(table(rows), width=WIDTH, height=alt.Step(STEP), title=alt.Title(title, subtitle=which))
    base = base.encode(y=alt.Y("class:N").sort(names).title(None).axis(labelLimit=220))
    tooltip = [alt.Tooltip("class:N"), alt.Tooltip("value:Q", format=".1%"), alt.Tooltip("queries:Q")]
    axis = alt.X("value:Q").scale(domain=[0, 1]).axis(format="~%", grid=True).title("accuracy")
    dots = base.mark_point(color=BLUE).encode(x=axis, tooltip=tooltip)
    lines = base.mark_rule(color=BLUE).encode(x="low:Q", x2="high:Q")
    return themed(lines + dots, f"Accuracy of single classes: {title}")
