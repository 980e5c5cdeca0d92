"""Recognizability over originality by ranks: a set's own samples, from the least to the most original tenth."""

import altair as alt
from altair.typing import ChartType

from fairshot.reports.charts.chart import table, themed
from fairshot.reports.charts.originality import HEIGHT, WIDTH, curve_names
from fairshot.reports.charts.theme import INK, colours
from fairshot.scoring.sample_scores import HUMAN, SampleScores


def originality_rank_chart(scored: SampleScores) -> ChartType:
    """A line for each set and for people, a point for each tenth of the samples of a class."""
    curves = scored.originality_ranks
    others = [name for name in curves if name != HUMAN]
    palette = {**dict(zip(others, colours(len(others)), strict=True)), HUMAN: INK}
    points = [
        {"name": name, "colour": palette[name], "rank": rank} | mean.model_dump()
        for name, means in curves.items()
        for rank, mean in enumerate(means, 1)
    ]
    title = alt.Title(
        "From the least to the most original drawings of each set",
        subtitle="points: tenths of the samples of each class, by rank of originality; means over classes",
    )
    # Noise is fifty times as far from its exemplars as people's drawings are from theirs.
    across = alt.X("originality:Q").scale(type="symlog", nice=False).axis(tickCount=8)
    up = alt.Y("recognizability:Q").scale(zero=False).axis(format="~%", tickCount=6)
    base = alt.Chart(table(points)).encode(
        x=across.title("originality: distance to the exemplar"),
        y=up.title(f"recognizability, {scored.way}-way"),
        color=alt.Color("colour:N").scale(None),
    )
    lines, marks = base.mark_line().encode(detail="name:N", order="rank:Q"), base.mark_circle(size=40, opacity=1)
    names = curve_names({name: [mean.recognizability for mean in means] for name, means in curves.items()}, palette)
    chart = alt.layer(lines, marks, names).properties(width=WIDTH, height=HEIGHT, title=title)
    return themed(chart, f"Recognizability over ranks of originality of {', '.join(curves)} on {scored.source.name}")
