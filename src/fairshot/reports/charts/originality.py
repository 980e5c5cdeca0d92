"""Recognizability over originality: how far from the exemplar may a drawing go and be known, beside people?"""

from typing import Any

import altair as alt
from altair.typing import ChartType

from fairshot.reports.charts.chart import table, themed
from fairshot.reports.charts.labels import apart, short
from fairshot.reports.charts.theme import FAINT, INK, colours
from fairshot.scoring.sample_scores import HUMAN, BandScore, SampleScores

WIDTH, HEIGHT = 560, 320
LINE = 16  # pixels from one name to the next


def originality_chart(scored: SampleScores) -> ChartType:
    """A line for each set and for people, a point for each band of people's originality."""
    people = _people(scored)
    curves = {**scored.originality, HUMAN: people}
    palette = dict(zip(curves, [*colours(len(curves) - 1), INK], strict=True))
    points = [row for name, bands in curves.items() for row in _points(name, bands, palette[name])]
    title = alt.Title(
        "Are drawings far from the exemplar still recognised?",
        subtitle="bands hold as many of people's drawings each; the larger a point, the more samples",
    )
    across = alt.X("originality:Q").scale(nice=False).axis(tickCount=8)
    across = across.title("originality: distance to the exemplar")
    up = alt.Y("recognizability:Q").scale(zero=False).axis(format="~%", tickCount=6)
    up = up.title(f"recognizability, {scored.way}-way")
    ends = table([{"end": end} for end in sorted({band.high for band in people})])
    bands = alt.Chart(ends).mark_rule(color=FAINT).encode(x=alt.X("end:Q"))
    base = alt.Chart(table(points)).encode(x=across, y=up, color=alt.Color("colour:N").scale(None))
    lines = base.mark_line().encode(detail="name:N")
    size = alt.Size("share:Q").scale(domain=[0, 1], range=[20, 400]).legend(None)
    marks = base.mark_circle(opacity=1).encode(size=size)
    known = {
        name: [band.recognizability for band in bands if band.recognizability is not None]
        for name, bands in curves.items()
    }
    chart = alt.layer(bands, lines, marks, curve_names(known, palette)).properties(
        width=WIDTH, height=HEIGHT, title=title
    )
    return themed(chart, f"Recognizability over originality of {', '.join(curves)} on {scored.source.name}")


def _people(scored: SampleScores) -> list[BandScore]:
    """Their own part of the bands; the first of a set begins lower, where its samples do."""
    bands = max(scored.originality.values(), key=lambda bands: bands[0].low)
    return [band.model_copy(update={"recognizability": band.human, "share": 1 / len(bands)}) for band in bands]


def _points(name: str, bands: list[BandScore], colour: str) -> list[dict[str, Any]]:
    """The middle of each band that has samples."""
    return [
        {
            "name": name,
            "colour": colour,
            "originality": (band.low + band.high) / 2,
            "recognizability": band.recognizability,
            "share": band.share,
        }
        for band in bands
        if band.recognizability is not None
    ]


def curve_names(known: dict[str, list[float]], palette: dict[str, str]) -> alt.Chart:
    """Names at the heights at which curves end, those without one at the bottom."""
    shares = [share for values in known.values() for share in values]
    low, high = min(shares), max(shares)
    lasts = [(0.0, values[-1] if values else low) for values in known.values()]
    heights = apart(lasts, [1.0] * len(lasts), LINE / HEIGHT * ((high - low) or 1.0))
    rows = [
        {
            "label": ("people" if name == HUMAN else short(name)) + ("" if known[name] else ": none"),
            "colour": palette[name],
            "y": y,
        }
        for name, y in zip(known, heights, strict=True)
    ]
    names = alt.Chart(table(rows)).mark_text(align="left", dx=10, fontWeight="bold")
    return names.encode(x=alt.value(WIDTH), y=alt.Y("y:Q"), text="label:N", color=alt.Color("colour:N").scale(None))
