"""How sure each number is: a dot for each learner, its intervals, and a diamond for what was published."""

from collections.abc import Sequence
from typing import Any

import altair as alt
from altair.typing import ChartType

from fairshot.reports.charts.chart import table, themed
from fairshot.reports.charts.theme import AMBER, BLUE, GREEN, INK, PAPER, PURPLE, VERMILLION
from fairshot.results.population_headings import POPULATIONS
from fairshot.results.schema import Row
from fairshot.statistics.estimate import LEVEL
from fairshot.tables.words import at_level

WIDTH, STEP = 300, 14
COLOURS = {"parents": PURPLE, "classes": VERMILLION, "images": BLUE, "episodes": GREEN, "values": AMBER}


def interval_chart(rows: Sequence[Row]) -> ChartType:
    """The learners of one task; the interval to quote is drawn thick."""
    rows = [row for row in rows if row.value is not None]
    populations = [name for name in POPULATIONS if any(row.intervals.get(name) for row in rows)]
    learners = [row.learner for row in rows]
    headings = [POPULATIONS[name].heading for name in populations]
    legend = alt.Legend(title=f"{at_level(LEVEL)} interval for", orient="bottom", symbolStrokeWidth=3, columns=2)
    scale = alt.Scale(domain=headings, range=[COLOURS.get(name, AMBER) for name in populations])
    place = alt.Y("learner:N").sort(learners).title(None).axis(labelLimit=260)
    offset = alt.YOffset("population:N").sort(headings)
    title = alt.Title(rows[0].task, frame="bounds")
    base = alt.Chart(table(_ends(rows, populations)), width=WIDTH, height=alt.Step(STEP), title=title)
    base = base.encode(y=place, yOffset=offset, color=alt.Color("population:N").scale(scale).legend(legend))
    axis = alt.X("low:Q").scale(zero=False, nice=True).axis(format="~%", grid=True, tickCount=6).title(rows[0].metric)
    width = alt.condition("datum.quoted", alt.value(5), alt.value(2))
    tooltip = [
        alt.Tooltip("learner:N"),
        alt.Tooltip("population:N"),
        *(alt.Tooltip(f"{name}:Q", format=".1%") for name in ("value", "low", "high")),
    ]
    lines = base.mark_rule().encode(x=axis, x2="high:Q", strokeWidth=width, tooltip=tooltip)
    dots = base.mark_point(shape="circle", size=42, stroke=PAPER, strokeWidth=1).encode(x="value:Q", tooltip=tooltip)
    paper = base.mark_point(shape="diamond", size=70, filled=False, color=INK).encode(
        x="published:Q",
        color=alt.value(INK),
        tooltip=[alt.Tooltip("learner:N"), alt.Tooltip("published:Q", format=".1%")],
    )
    chart = lines + dots + paper if any(row.published is not None for row in rows) else lines + dots
    description = f"{rows[0].metric} of {', '.join(learners)} with {at_level(LEVEL)} intervals, {rows[0].task}"
    return themed(chart, description)


def _ends(rows: Sequence[Row], populations: Sequence[str]) -> list[dict[str, Any]]:
    ends = []
    for row in rows:
        for name in populations:
            low, high = row.intervals.get(name) or (None, None)
            ends.append(
                {
                    "learner": row.learner,
                    "population": POPULATIONS[name].heading,
                    "value": row.value if low is not None else None,
                    "low": low,
                    "high": high,
                    "quoted": name == row.headline,
                    "published": row.published if name == populations[0] else None,
                }
            )
    return ends
