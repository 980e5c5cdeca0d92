"""A sweep: both axes against the setting, and the path through the plane (Boutin et al. 2022, Figs. 4 and S13-S20)."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
from altair.typing import ChartType

from fairshot.reports.charts.chart import caption, table, themed
from fairshot.reports.charts.plane import STAR
from fairshot.reports.charts.theme import INK, colours
from fairshot.results.study_rows import CurveFit, SamplePoint, SampleResult

WIDTH, HEIGHT, BAND = 210, 170, 0.2  # pixels of a panel; the opacity of a band
PLACES = 41  # at which the mean of all seeds is drawn
TITLES = {"diversity": "diversity (Eq. 2)", "recognizability": "recognizability"}
FORMATS = {"diversity": "~r", "recognizability": "~%"}


def sweep_chart(result: SampleResult, critic: str) -> ChartType:
    """A row for each generator: points and thin curves of every seed, the mean as a line, its deviation as a band."""
    generators = list(dict.fromkeys(fit.curve for fit in result.fits if fit.critic == critic))
    panels = [panel for generator in generators for panel in _row(result, critic, generator)]
    title = alt.Title(
        f"Sweeps by the critics {critic}",
        subtitle="colours: seeds; black: their mean and one standard deviation; arrow: to larger values; star: people",
    )
    chart = alt.concat(*panels, columns=3, bounds="flush", spacing={"row": 70, "column": 66}, title=title)
    return themed(chart, f"Diversity and recognizability of {', '.join(generators)} along a setting")


def _row(result: SampleResult, critic: str, generator: str) -> list[ChartType]:
    """Three panels of one generator."""
    points = [point for point in result.select(critic, generator) if point.position is not None]
    fits = [fit for fit in result.fits if (fit.critic, fit.curve) == (critic, generator)]
    seeds = list(dict.fromkeys(fit.seed for fit in fits))
    palette = dict(zip(seeds, colours(len(seeds)), strict=True))
    setting = points[0].setting
    axes = [_axis_panel(f"{generator}: {name}", name, setting, points, fits, palette=palette) for name in TITLES]
    return [*axes, _plane_panel(f"{generator}: plane", result.people(critic), points, fits, palette)]


def _axis_panel(
    title: str,
    axis: str,
    setting: str,
    points: Sequence[SamplePoint],
    fits: Sequence[CurveFit],
    *,
    palette: dict[int, str],
) -> ChartType:
    """One axis against the setting."""
    across = alt.X("x:Q").scale(zero=False).axis(tickCount=5).title(setting)
    up = alt.Y("y:Q").scale(zero=False).axis(format=FORMATS[axis], tickCount=4).title(TITLES[axis])
    colour = alt.Color("colour:N").scale(None)
    dots = [
        {"x": point.position, "y": point.values[axis], "colour": palette.get(point.seed or 0, INK)} for point in points
    ]
    curves = [
        {"x": x, "y": y, "seed": fit.seed, "colour": palette[fit.seed]}
        for fit in fits
        for x, y in zip(fit.positions, getattr(fit, axis), strict=True)
    ]
    mean = alt.Chart(table(mean_curve(fits, axis))).encode(x=across)
    layers = [
        mean.mark_area(opacity=BAND, color=INK).encode(y=alt.Y("low:Q"), y2="high:Q"),
        alt.Chart(table(curves)).mark_line(strokeWidth=1).encode(x=across, y=up, color=colour, detail="seed:N"),
        mean.mark_line(color=INK).encode(y=up),
        alt.Chart(table(dots)).mark_circle(size=30).encode(x=across, y=up, color=colour),
        caption(title),
    ]
    return alt.layer(*layers).properties(width=WIDTH, height=HEIGHT)


def mean_curve(fits: Sequence[CurveFit], axis: str) -> list[dict[str, Any]]:
    """The mean of all seeds' curves over the setting, and one standard deviation to either side."""
    low, high = max(fit.positions[0] for fit in fits), min(fit.positions[-1] for fit in fits)
    places = np.linspace(low, high, PLACES)
    values = np.array([np.interp(places, fit.positions, getattr(fit, axis)) for fit in fits])
    mean = values.mean(axis=0)
    deviation = values.std(axis=0, ddof=1) if len(fits) > 1 else np.zeros(PLACES)
    columns = zip(places.tolist(), mean.tolist(), (mean - deviation).tolist(), (mean + deviation).tolist(), strict=True)
    return [{"x": x, "y": y, "low": below, "high": above} for x, y, below, above in columns]


def _plane_panel(
    title: str,
    people: SamplePoint,
    points: Sequence[SamplePoint],
    fits: Sequence[CurveFit],
    palette: dict[int, str],
) -> ChartType:
    """The path of every seed, an arrow at its end."""
    across = alt.X("x:Q").scale(zero=False, padding=8).axis(tickCount=5).title(TITLES["diversity"])
    up = alt.Y("y:Q").scale(zero=False, padding=8).axis(format="~%", tickCount=4).title(TITLES["recognizability"])
    colour = alt.Color("colour:N").scale(None)
    dots = [{"x": x, "y": y, "colour": palette.get(p.seed or 0, INK)} for p in points for x, y in [p.place]]
    curves = [
        {"x": x, "y": y, "seed": fit.seed, "order": order, "colour": palette[fit.seed]}
        for fit in fits
        for order, (x, y) in enumerate(zip(fit.diversity, fit.recognizability, strict=True))
    ]
    star = [{"x": people.place[0], "y": people.place[1]}]
    lines = alt.Chart(table(curves)).mark_line(strokeWidth=1.5)
    heads = alt.Chart(table(_arrows(fits, palette, [row for row in dots + star]))).mark_point(
        shape="triangle", size=90, filled=True
    )
    layers = [
        lines.encode(x=across, y=up, color=colour, detail="seed:N", order="order:Q"),
        alt.Chart(table(dots)).mark_circle(size=30).encode(x=across, y=up, color=colour),
        heads.encode(x=across, y=up, color=colour, angle=alt.Angle("angle:Q").scale(None)),
        alt.Chart(table(star)).mark_point(shape=STAR, size=150, color=INK).encode(x=across, y=up),
        caption(title),
    ]
    return alt.layer(*layers).properties(width=WIDTH, height=HEIGHT)


def _arrows(fits: Sequence[CurveFit], palette: dict[int, str], shown: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The end of each path, and the direction in which it gets there, in degrees clockwise from upwards."""
    wide, high = (float(np.ptp([row[name] for row in shown])) or 1.0 for name in ("x", "y"))
    rows = []
    for fit in fits:
        right = (fit.diversity[-1] - fit.diversity[-2]) / wide * WIDTH
        above = (fit.recognizability[-1] - fit.recognizability[-2]) / high * HEIGHT
        angle = float(np.degrees(np.arctan2(right, above)))
        rows.append({"x": fit.diversity[-1], "y": fit.recognizability[-1], "angle": angle, "colour": palette[fit.seed]})
    return rows
