"""Places of methods: for each the places that it may have, its place by the mean, and how likely it is the first."""

import altair as alt
from altair.typing import ChartType

from fairshot.evaluation.ranks import RankList, Ranks
from fairshot.reports.charts.chart import table, themed
from fairshot.reports.charts.theme import BLUE, SOFT
from fairshot.results.population_headings import POPULATIONS

WIDTH, STEP, THICK = 320, 22, 6


def rank_chart(ranks: Ranks) -> ChartType:
    """A panel for each task, one below the other."""
    panels = [_panel(one) for one in ranks.lists]
    chart = panels[0] if len(panels) == 1 else alt.vconcat(*panels)
    return themed(chart, f"Places that {len(ranks.lists[0].places)} methods may have on {len(panels)} tasks")


def _panel(ranked: RankList) -> ChartType:
    rows = [
        {
            "method": place.method,
            "place": place.place,
            "low": place.low - 0.15,  # a place that is certain is still seen
            "high": place.high + 0.15,
            "first": "" if place.first is None else f"{100 * place.first:.0f}%",
        }
        for place in ranked.places
    ]
    names, count = [place.method for place in ranked.places], len(ranked.places)
    about = POPULATIONS[ranked.population].heading
    y = alt.Y("method:N").sort(names).title(None)
    axis = alt.X("low:Q").scale(domain=[0.5, count + 0.5]).axis(values=list(range(1, count + 1)), format="d")
    base = alt.Chart(table(rows), width=WIDTH, height=alt.Step(STEP)).encode(y=y)
    spans = base.mark_rule(size=THICK, color=BLUE, opacity=0.45).encode(x=axis.title(f"place, {about}"), x2="high:Q")
    points = base.mark_point(filled=True, color=BLUE, size=60, opacity=1).encode(x="place:Q")
    chances = base.mark_text(align="left", color=SOFT, dx=6).encode(x=alt.value(WIDTH), text="first:N")
    return alt.layer(spans, points, chances).properties(title=f"{ranked.task} (right: how likely it is the first)")
