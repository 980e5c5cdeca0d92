"""Every training of every generator in the plane of diversity and recognizability (Boutin et al. 2022, Fig. 3a)."""

from typing import Any

import altair as alt
import numpy as np
from altair.typing import ChartType

from fairshot.reports.charts.chart import table, themed
from fairshot.reports.charts.labels import apart, short
from fairshot.reports.charts.plane import STAR, hints
from fairshot.reports.charts.theme import INK, PAPER, colours, shapes
from fairshot.results.study_rows import SamplePoint, SampleResult

WIDTH, HEIGHT = 600, 380
LETTER, LINE, BESIDE = 7, 18, 10  # pixels of a letter, of a line, and from a point to its name
HUMAN = "human"


def model_plane_chart(result: SampleResult, critic: str) -> ChartType:
    """Small: trainings; large: the mean of each generator; a star: people; crosses: published positions."""
    points = result.select(critic)
    generators = list(dict.fromkeys(point.generator for point in points))
    palette = dict(zip(generators, colours(len(generators)), strict=True)) | {HUMAN: INK}
    forms = dict(zip(generators, shapes(len(generators)), strict=True)) | {HUMAN: STAR}
    single = [
        _mark(point.place, palette[point.generator], forms[point.generator]) | _told(result, point)
        for point in points
        if point.course
    ]
    means = [
        {"label": short(name), **_mark(_mean(result, critic, name), palette[name], forms[name])} for name in generators
    ]
    means.append({"label": "people", **_mark(result.people(critic).place, INK, STAR)})
    published = [
        {"label": f"{short(name)}, published", **_mark(place, palette.get(name, INK), "cross")}
        for name, place in (result.positions if critic == "published" else {}).items()
    ]
    across = alt.X("diversity:Q").scale(padding=14, nice=False).axis(tickCount=8).title("diversity (Eq. 2)")
    up = alt.Y("recognizability:Q").scale(padding=14, nice=False).axis(format="~%", tickCount=6)
    up = up.title(f"recognizability, {result.way}-way")
    colour, shape = alt.Color("colour:N").scale(None), alt.Shape("shape:N").scale(None)
    places: dict[str, Any] = {"x": across, "y": up, "color": colour, "shape": shape}
    crosses = alt.Chart(table(published)).mark_point(size=90, filled=False, strokeWidth=2).encode(**places)
    layers = [
        alt.Chart(table(single))
        .mark_point(size=26, opacity=0.55)
        .encode(**places, tooltip=hints(single, "model", "seed")),
        *([crosses] if published else []),  # a layer without marks has no extent, which browsers complain about
        alt.Chart(table(means)).mark_point(size=150, stroke=PAPER).encode(**places),
        *_names([*means, *published]),
    ]
    title = alt.Title(
        f"Generators beside people, critics {critic}",
        subtitle="small: trainings; large: the mean of a generator; star: people; crosses: published",
    )
    chart = alt.layer(*layers).properties(width=WIDTH, height=HEIGHT, title=title)
    return themed(chart, f"Diversity and recognizability of {', '.join(generators)} by the critics {critic}")


def _mark(place: tuple[float, float], colour: str, shape: str) -> dict[str, Any]:
    return {"diversity": place[0], "recognizability": place[1], "colour": colour, "shape": shape}


def _told(result: SampleResult, point: SamplePoint) -> dict[str, Any]:
    """What a page shows of a training that one points at: its name and some of its samples."""
    sheet = result.sheets.get(point.drawer)
    return {"model": point.model, "seed": point.seed} | ({"image": f"data:image/png;base64,{sheet}"} if sheet else {})


def _mean(result: SampleResult, critic: str, generator: str) -> tuple[float, float]:
    diversity, recognizability = np.mean([point.place for point in result.select(critic, generator)], axis=0).tolist()
    return diversity, recognizability


def _names(marks: list[dict[str, Any]]) -> list[alt.Chart]:
    """A name to the right of each mark, none on another."""
    places = [(mark["diversity"], mark["recognizability"]) for mark in marks]
    reach = np.ptp(np.array(places), axis=0).tolist()
    widths = [(LETTER * len(mark["label"]) + 2 * BESIDE) / WIDTH * reach[0] for mark in marks]
    heights = apart(places, widths, LINE / HEIGHT * (reach[1] or 1.0))
    rows = [mark | {"label_y": height} for mark, height in zip(marks, heights, strict=True)]
    base = alt.Chart(table(rows)).encode(x=alt.X("diversity:Q"), y=alt.Y("label_y:Q"), text="label:N")
    look: dict[str, Any] = {"align": "left", "dx": BESIDE, "fontWeight": "bold"}
    halo = base.mark_text(**look, stroke=PAPER, strokeWidth=4, strokeJoin="round").encode(color=alt.value(PAPER))
    return [halo, base.mark_text(**look).encode(color=alt.Color("colour:N").scale(None))]
