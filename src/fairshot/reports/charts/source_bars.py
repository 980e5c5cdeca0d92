"""Accuracy on every source, trained on one source and on many: Fig. 6 of Triantafillou et al. 2018."""

import altair as alt
from altair.typing import ChartType

from fairshot.reports.charts.chart import table, themed
from fairshot.reports.charts.theme import BLUE, SKY
from fairshot.results.schema import Row
from fairshot.results.source_rows import ManySourcesResult

WIDTH, HEIGHT = 300, 22


def source_bars(result: ManySourcesResult) -> ChartType:
    """A panel for each learner; a bar for each source and setting, with its interval."""
    shown = [(row.learner.rpartition(" ("), row) for row in result.rows if row.metric == "accuracy"]
    rows = [
        {"learner": learner, "setting": setting.rstrip(")"), "source": row.task, "value": row.value, **_ends(row)}
        for (learner, _, setting), row in shown
        if row.value is not None
    ]
    settings = list(dict.fromkeys(setting.rstrip(")") for (_, _, setting), _ in shown))
    learners = list(dict.fromkeys(learner for (learner, _, _), _ in shown))
    sources = list(result.sources)
    colour = alt.Color("setting:N").scale(domain=settings, range=[SKY, BLUE]).legend(alt.Legend(title="trained on"))
    place = alt.Y("source:N").sort(sources).title(None)
    base = alt.Chart(width=WIDTH, height=alt.Step(HEIGHT / 2)).encode(
        y=place, yOffset=alt.YOffset("setting:N").sort(settings)
    )
    bars = base.mark_bar().encode(x=alt.X("value:Q").axis(format="~%").title("accuracy"), color=colour)
    ends = base.mark_rule().encode(x="low:Q", x2="high:Q")
    chart = alt.layer(bars, ends, data=table(rows)).facet(
        facet=alt.Facet("learner:N").sort(learners).title(None), columns=2
    )
    return themed(chart, f"Accuracy of {', '.join(learners)} on {len(sources)} sources, by what was trained on")


def _ends(row: Row) -> dict[str, float | None]:
    low, high = row.quoted or row.intervals.get("episodes") or (None, None)
    return {"low": low, "high": high}
