"""How often other classes reverse a comparison, against how far apart the two learners truly are."""

from collections.abc import Sequence
from typing import Any

import altair as alt
from altair.typing import ChartType

from fairshot.reports.charts.chart import caption, table, themed
from fairshot.reports.charts.theme import colours
from fairshot.results.study_rows import FlipRow

COLUMNS, WIDTH, HEIGHT = 3, 190, 140
MEASURED, PREDICTED = "measured", "predicted from the classes that were seen"


def flip_chart(rows: Sequence[FlipRow]) -> ChartType:
    """A panel for each benchmark, a colour for each number of classes that are drawn; dashed: what is predicted."""
    drawn = sorted(dict.fromkeys(map(_drawn, rows)), key=lambda name: (name.split()[1], int(name.split()[0])))
    parts = list(dict.fromkeys(row.part for row in rows))
    legend = alt.Legend(title="drawn anew", orient="bottom", columns=6, symbolType="stroke", symbolOpacity=1)
    colour = alt.Color("drawn:N").scale(domain=drawn, range=colours(len(drawn))).legend(legend)
    dashes = alt.Legend(title=None, orient="bottom", symbolSize=300, symbolType="stroke", labelLimit=300)
    dash = alt.StrokeDash("kind:N").scale(domain=[MEASURED, PREDICTED], range=[[1, 0], [5, 3]]).legend(dashes)
    panels = [_panel(part, [row for row in rows if row.part == part], colour, dash) for part in parts]
    title = alt.Title(
        "How often do other classes show the worse learner ahead?", subtitle="against its true lead; bands: more draws"
    )
    chart = alt.concat(*panels, columns=COLUMNS, spacing={"row": 40, "column": 30}, title=title)
    return themed(chart, f"How often drawn classes reverse a comparison on {', '.join(parts)}")


def _panel(part: str, rows: Sequence[FlipRow], colour: alt.Color, dash: alt.StrokeDash) -> alt.LayerChart:
    across = alt.X("gap:Q").title("true lead, points").axis(tickCount=5)
    up = alt.Y("share:Q").title(None).axis(format="~%", tickCount=4)
    marks = [mark for row in rows for mark in _marks(row)]
    base = alt.Chart(table(marks), width=WIDTH, height=HEIGHT).encode(x=across, color=colour)
    known = alt.Chart(table([mark for mark in marks if mark["kind"] == MEASURED])).encode(x=across, color=colour)
    bands = known.mark_area(opacity=0.15).encode(y=alt.Y("low:Q"), y2="high:Q")
    shares = [alt.Tooltip(f"{name}:Q", format=".0%") for name in ("share", "low", "high")]
    hints = [alt.Tooltip("drawn:N"), alt.Tooltip("kind:N"), alt.Tooltip("gap:Q", format=".2f"), *shares]
    lines = base.mark_line(point=True).encode(y=up, strokeDash=dash, tooltip=hints)
    return bands + lines + caption(part)


def _marks(row: FlipRow) -> list[dict[str, Any]]:
    """What was measured with its interval, and what was predicted where something was."""
    place = {"drawn": _drawn(row), "gap": 100 * row.gap}
    low, high = row.intervals.get("sets") or (None, None)
    measured = place | {"kind": MEASURED, "share": row.value, "low": low, "high": high}
    return [measured] + ([place | {"kind": PREDICTED, "share": row.predicted}] if row.predicted is not None else [])


def _drawn(row: FlipRow) -> str:
    """What is drawn anew: classes, or images of each."""
    return f"{row.images} images per class" if row.novel_classes is None else f"{row.novel_classes} classes"
