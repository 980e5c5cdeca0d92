"""The score against the number of shots: the curves of all learners with their bands, a panel for each family."""

from collections.abc import Sequence
from typing import Any

import altair as alt
from altair.typing import ChartType

from fairshot.evaluation.shots import POPULATIONS
from fairshot.reports.charts.chart import table, themed
from fairshot.reports.charts.theme import colours, dashes, shapes
from fairshot.reports.shot_text import band, wide_population
from fairshot.results.schema import ShotCurve
from fairshot.statistics.estimate import LEVEL
from fairshot.tables.words import at_level

WIDTH, HEIGHT = 480, 300
SAMPLER = "episodes"  # the population of the inner band
WIDE, NARROW = 0.13, 0.24  # opacities of the two bands


def shot_chart(curves: Sequence[ShotCurve]) -> ChartType:
    """All learners of a family of tasks share a panel, and each has the same colour in all of them."""
    families = list(dict.fromkeys(curve.family for curve in curves))
    learners = list(dict.fromkeys(curve.learner for curve in curves))
    panels = [_panel([curve for curve in curves if curve.family == family], learners) for family in families]
    chart = panels[0] if len(panels) == 1 else alt.vconcat(*panels)
    return themed(chart, f"{curves[0].metric} against the number of shots of {', '.join(learners)}")


def _panel(curves: Sequence[ShotCurve], learners: Sequence[str]) -> ChartType:
    metric = curves[0].metric
    title = alt.Title(f"{metric.capitalize()} against shots, {curves[0].family}", subtitle=_bands(curves))
    legend = alt.Legend(title=None, orient="bottom", columns=4, symbolSize=80, symbolOpacity=1)
    count = len(learners)
    colour = alt.Color("learner:N").scale(domain=learners, range=colours(count)).legend(legend)
    shape = alt.Shape("learner:N").scale(domain=learners, range=shapes(count)).legend(legend)
    dash = alt.StrokeDash("learner:N").scale(domain=learners, range=dashes(count)).legend(legend)
    rows = _rows(curves)
    base = alt.Chart(table(rows), width=WIDTH, height=HEIGHT, title=title)
    base = base.encode(x=_shots(curves), color=colour)
    score = alt.Y("value:Q").scale(zero=False, nice=False, padding=8).axis(format="~%", tickCount=6).title(metric)
    # A band is an area of its own: where a learner has none its rows have no ends, and nothing is drawn.
    bands = [
        base.mark_area(opacity=opacity).encode(y=alt.Y(f"{low}:Q"), y2=f"{high}:Q")
        for low, high, opacity in (("wide_low", "wide_high", WIDE), ("low", "high", NARROW))
        if any(low in row for row in rows)
    ]
    tooltip = [alt.Tooltip("learner:N"), alt.Tooltip("shot:Q"), alt.Tooltip("value:Q", format=".1%", title=metric)]
    points = base.mark_point().encode(y=score, shape=shape, tooltip=tooltip)
    return alt.layer(*bands, base.mark_line().encode(y=score, strokeDash=dash), points)


def _bands(curves: Sequence[ShotCurve]) -> str:
    """What the bands speak about, in one line."""
    populations = dict.fromkeys(wide_population(curve) for curve in curves)
    wide = [POPULATIONS[population] for population in populations if population != SAMPLER]
    if not any(band(curve, SAMPLER) for curve in curves):
        return "no intervals"
    bands = f"{at_level(LEVEL)} bands"
    return f"{bands}: {', '.join(wide)} (light), usual CI (dark)" if wide else f"{bands}: usual CI"


def _shots(curves: Sequence[ShotCurve]) -> alt.X:
    """The shots that were asked for, and no others, on a log scale."""
    shots = sorted({point.shot for curve in curves for point in curve.points})
    axis = alt.Axis(values=shots, format="d")
    return alt.X("shot:Q").scale(type="log", nice=False, padding=14).axis(axis).title("shots (log scale)")


def _rows(curves: Sequence[ShotCurve]) -> list[dict[str, Any]]:
    rows = []
    for curve in curves:
        population = wide_population(curve)
        wide, narrow = (None if population == SAMPLER else band(curve, population)), band(curve, SAMPLER)
        for number, point in enumerate(curve.points):
            row: dict[str, Any] = {"learner": curve.learner, "shot": point.shot, "value": point.value}
            if wide:
                row |= {"wide_low": wide[0][number], "wide_high": wide[1][number]}
            if narrow:
                row |= {"low": narrow[0][number], "high": narrow[1][number]}
            rows.append(row)
    return rows
