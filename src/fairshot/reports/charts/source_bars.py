"""Accuracy on every source, trained on one source and on many: Fig. 6 of Triantafillou et al. 2018."""

from typing import Any

import altair as alt
from altair.typing import ChartType

from fairshot.reports.charts.chart import table, themed
from fairshot.reports.charts.theme import BLUE, INK, PAPER, TEXT
from fairshot.results.source_rows import ManySourcesResult, SourceRow

WIDTH, BAR, COLUMNS = 175, 9, 4  # pixels of a panel and of a bar; panels side by side
STRANGE = "*"  # behind sources that nothing was trained on


def source_bars(result: ManySourcesResult) -> ChartType:
    """A panel for each learner; for each source a hollow bar, trained on one, above a full bar, trained on many."""
    rows = _shown(result)
    settings, learners, sources = (
        list(dict.fromkeys(row[name] for row in rows)) for name in ("setting", "learner", "source")
    )
    legend = alt.Legend(title="trained on", orient="top", symbolStrokeColor=BLUE, symbolStrokeWidth=1.5)
    fill = alt.Fill("setting:N").scale(domain=settings, range=[PAPER, BLUE]).legend(legend)
    place = alt.Y("source:N").sort(sources).title(None).scale(paddingInner=0.3)
    beside = alt.YOffset("setting:N").sort(settings).scale(paddingInner=0.12)
    base = alt.Chart(width=WIDTH, height=alt.Step(BAR, **{"for": "offset"})).encode(y=place, yOffset=beside)
    length = alt.X("value:Q").stack(None).scale(domainMin=0).axis(format="~%", tickCount=4).title("accuracy")
    tooltip = [alt.Tooltip(f"{name}:N") for name in ("learner", "setting", "source")]
    bars = base.mark_bar(stroke=BLUE, strokeWidth=1).encode(
        x=length, fill=fill, tooltip=[*tooltip, alt.Tooltip("value:Q", format=".1%", title="accuracy")]
    )
    ends = base.mark_rule(color=INK, strokeWidth=1.2).encode(x="low:Q", x2="high:Q")
    header = alt.Header(labelColor=INK, labelFontSize=TEXT, labelFontWeight="bold", labelAnchor="start")
    facet = alt.Facet("learner:N").sort(learners).title(None).header(header)
    panels = alt.layer(bars, ends, data=table(rows)).facet(
        facet=facet, columns=COLUMNS, spacing={"row": 24, "column": 20}
    )
    title = alt.Title("Accuracy by what was trained on", subtitle=_subtitle(rows))
    description = f"Accuracy of {', '.join(learners)} on {len(sources)} sources, by what was trained on"
    return themed(panels.properties(title=title), description)


def _shown(result: ManySourcesResult) -> list[dict[str, Any]]:
    """Accuracies in whole episodes, and in small ones of those who answered no others."""
    trained = {one.source: one.trained for one in result.differences}
    known = [row for row in result.rows if isinstance(row, SourceRow) and row.metric == "accuracy"]
    whole = {row.head for row in known if not row.small}
    return [
        {
            "learner": f"{row.head}, small episodes" if row.small else row.head,
            "setting": row.setting,
            "source": row.source if trained.get(row.source, True) else f"{row.source} {STRANGE}",
            "value": row.value,
            **dict(zip(("low", "high"), row.quoted or row.intervals.get("episodes") or (None, None), strict=True)),
        }
        for row in known
        if row.small == (row.head not in whole)
    ]


def _subtitle(rows: list[dict[str, Any]]) -> str:
    """What the marks say."""
    strange = any(row["source"].endswith(STRANGE) for row in rows)
    lines = "Lines: the interval that the tables quote"
    return f"{lines}; {STRANGE} a source that nothing was trained on" if strange else lines
