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

WIDTH, HEIGHT = 480, 300
WIDE, NARROW = 0.14, 0.32  # opacities of the two bands


def shot_chart(curves: Sequence[ShotCurve]) -> ChartType:
    """All learners of a family of tasks share a panel, and each has the same colour in all of them."""
    families = list(dict.fromkeys(curve.family for curve in curves))
    learners = list(dict.fromkeys(curve.learner for curve in curves))
    panels = [_panel([curve for curve in curves if curve.family == family], learners) for family in families]
    chart = panels[0] if len(panels) == 1 else alt.vconcat(*panels)
    return themed(chart, f"{curves[0].metric} against the number of shots of {', '.join(learners)}")


def _panel(curves: Sequence[ShotCurve], learners: Sequence[str]) -> alt.LayerChart:
    first = curves[0]
    populations = list(dict.fromkeys(POPULATIONS[wide_population(curve)] for curve in curves))
    title = alt.Title(
        f"{first.metric.capitalize()} against shots, {first.family}",
        subtitle=f"95% bands: {', '.join(populations)} (light), sampler (dark)",
    )
    legend = alt.Legend(title=None, orient="bottom", columns=3, symbolSize=80)
    count = len(learners)
    colour = alt.Color("learner:N").scale(domain=learners, range=colours(count)).legend(legend)
    shape = alt.Shape("learner:N").scale(domain=learners, range=shapes(count)).legend(legend)
    dash = alt.StrokeDash("learner:N").scale(domain=learners, range=dashes(count)).legend(None)
    base = alt.Chart(table(_rows(curves)), width=WIDTH, height=HEIGHT, title=title).encode(x=_shots(curves))
    score = alt.Y("value:Q").scale(zero=False, nice=False, padding=8).axis(format="~%", tickCount=6).title(first.metric)
    # A band is an area of its own: where a learner has none its rows have no ends, and nothing is drawn.
    wide = base.mark_area(opacity=WIDE).encode(y=alt.Y("wide_low:Q"), y2="wide_high:Q", color=colour)
    narrow = base.mark_area(opacity=NARROW).encode(y=alt.Y("low:Q"), y2="high:Q", color=colour)
    line = base.mark_line().encode(y=score, color=colour, strokeDash=dash)
    tooltip = [alt.Tooltip("learner:N"), alt.Tooltip("shot:Q"), alt.Tooltip("value:Q", format=".1%", title="score")]
    points = base.mark_point().encode(y=score, color=colour, shape=shape, tooltip=tooltip)
    return wide + narrow + line + points


def _shots(curves: Sequence[ShotCurve]) -> alt.X:
    """The shots that were asked for, and no others, on a log scale."""
    shots = sorted({point.shot for curve in curves for point in curve.points})
    axis = alt.Axis(values=shots, format="d")
    return alt.X("shot:Q").scale(type="log", nice=False, padding=14).axis(axis).title("shots (log scale)")


def _rows(curves: Sequence[ShotCurve]) -> list[dict[str, Any]]:
    rows = []
    for curve in curves:
        wide, narrow = band(curve, wide_population(curve)), band(curve, "episodes")
        for number, point in enumerate(curve.points):
            row: dict[str, Any] = {"learner": curve.learner, "shot": point.shot, "value": point.value}
            if wide:
                row |= {"wide_low": wide[0][number], "wide_high": wide[1][number]}
            if narrow:
                row |= {"low": narrow[0][number], "high": narrow[1][number]}
            rows.append(row)
    return rows
