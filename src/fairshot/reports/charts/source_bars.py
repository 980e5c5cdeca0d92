"""Accuracy on every source, trained on one source and on many: Fig. 6 of Triantafillou et al. 2018."""

import altair as alt
from altair.typing import ChartType

from fairshot.reports.charts.chart import table, themed
from fairshot.reports.charts.theme import BLUE, SKY
from fairshot.results.study_rows import ManySourcesResult

WIDTH, HEIGHT = 300, 22


def source_bars(result: ManySourcesResult) -> ChartType:
    """A panel for each learner; a bar for each source and setting, with its interval."""
    rows = []
    for row in result.rows:
        learner, _, setting = row.learner.rpartition(" (")
        if row.metric != "accuracy" or not setting or row.value is None:
            continue
        low, high = row.quoted or row.intervals.get("episodes") or (None, None)
        rows.append(
            {
                "learner": learner,
                "setting": setting[:-1],
                "source": row.task,
                "value": row.value,
                "low": low,
                "high": high,
            }
        )
    settings = list(dict.fromkeys(row["setting"] for row in rows))
    learners = list(dict.fromkeys(row["learner"] for row in rows))
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
