"""Distances to people: a dot for every training, a bar for the median, a square for the best (Boutin 2022, Fig. 5a)."""

from typing import Any

import altair as alt
import numpy as np
from altair.typing import ChartType

from fairshot.reports.charts.chart import table, themed
from fairshot.reports.charts.theme import INK, SOFT, colours
from fairshot.results.study_rows import DistanceResult

WIDTH, HEIGHT = 90, 300  # pixels of a generator's column, and of all
POOLED = "pooled distance"


def distance_chart(result: DistanceResult, critic: str) -> ChartType:
    """A column for each generator, beside the published median and best where there are some."""
    points = [point for point in result.select(critic) if POOLED in point.values]
    generators = list(dict.fromkeys(point.generator for point in points))
    palette = dict(zip(generators, colours(len(generators)), strict=True))
    dots = [{"name": p.generator, "y": p.values[POOLED], "colour": palette[p.generator]} for p in points]
    ours = {name: [p.values[POOLED] for p in points if p.generator == name] for name in generators}
    medians = [{"name": name, "y": float(np.median(far)), "colour": palette[name]} for name, far in ours.items()]
    best = [{"name": name, "y": min(far), "colour": palette[name]} for name, far in ours.items()]
    published = result.published_distances if critic == "published" else {}
    theirs = [
        {"name": name, "y": value, "shape": shape}
        for name, found in published.items()
        for value, shape in zip(found, ("stroke", "square"), strict=True)
    ]
    across = alt.X("name:N").sort(generators).title(None).axis(labelAngle=0, ticks=False)
    up = alt.Y("y:Q").title("distance to people, as published")
    colour = alt.Color("colour:N").scale(None)
    columns: dict[str, Any] = {"x": across, "y": up}
    shape = alt.Shape("shape:N").scale(None)
    layers = [
        alt.Chart(table(dots)).mark_circle(size=24, opacity=0.5).encode(**columns, color=colour),
        alt.Chart(table(medians)).mark_tick(thickness=4, size=50, opacity=1).encode(**columns, color=colour),
        alt.Chart(table(best)).mark_square(size=90, opacity=1, stroke=INK).encode(**columns, color=colour),
        alt.Chart(table(theirs))
        .mark_point(filled=False, size=120, strokeWidth=2, color=SOFT, xOffset=30)
        .encode(**columns, shape=shape),
    ]
    title = alt.Title(
        f"How far from people? Critics {critic}",
        subtitle="dots: trainings; bar: median; square: the best; grey, to the right: published",
    )
    chart = alt.layer(*layers).properties(width=WIDTH * max(len(generators), 4), height=HEIGHT, title=title)
    return themed(chart, f"Distances to people of {', '.join(generators)} by the critics {critic}")
