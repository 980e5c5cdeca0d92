"""Diversity against recognizability, the main figure of Boutin et al. 2022: a point for each set, a star for people."""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np
from altair.typing import ChartType

from fairshot.reports.charts.chart import table, themed
from fairshot.reports.charts.labels import apart, short
from fairshot.reports.charts.theme import INK, PAPER, SOFT, colours
from fairshot.results.schema import Row
from fairshot.scoring.sample_scores import HUMAN, PublishedModel, SampleScores, for_others
from fairshot.specs.registry import find_class, find_name
from fairshot.statistics.estimate import LEVEL
from fairshot.tables.words import at_level

WIDTH, HEIGHT = 600, 360
LETTER, LINE, BESIDE = 7, 18, 10  # pixels of a letter, of a line, and from a point to its name
FRESH = "fresh"
TURNS, REACH = np.arange(10) * np.pi / 5, np.where(np.arange(10) % 2, 0.5, 1.25)
CORNERS = [f"{x:.3f},{y:.3f}" for x, y in zip(REACH * np.sin(TURNS), -REACH * np.cos(TURNS), strict=True)]
STAR = f"M{'L'.join(CORNERS)}Z"


def plane_chart(scored: SampleScores, samples: Mapping[str, str] | None = None) -> ChartType:
    """Bars are intervals for other classes, faint dots the classes of people's drawings.

    `samples` are addresses of pictures by set, which a page shows of the point that one points at.
    """
    classes = [row.values for row in scored.by_class if row.samples == HUMAN]
    plain = _sets(scored)
    marked = [row | _shown(row, samples or {}) for row in plain]
    sets = table(plain)
    title = alt.Title(
        f"{scored.classes} classes of {scored.source.name}, critics {scored.critic}",
        subtitle=f"bars: {at_level(LEVEL)} for other classes; faint: single classes of people; rings: yardsticks"
        + ("; diamonds: published" if scored.published else ""),
    )
    across = alt.X("diversity:Q").scale(padding=12, nice=False).title("diversity (Eq. 2)").axis(tickCount=8)
    # Models of the paper stand near people: an axis from 0 on would crowd them.
    zero = False if scored.published else alt.Undefined
    up = alt.Y("recognizability:Q").scale(padding=12, nice=False, zero=zero).axis(format="~%", tickCount=6)
    up = up.title(f"recognizability, {scored.way}-way")
    colour = alt.Color("colour:N").scale(None)
    dots = [{metric: value[metric] for metric in ("diversity", "recognizability")} for value in classes]
    faint = alt.Chart(table(dots)).mark_circle(size=14, color=INK, opacity=0.18).encode(x=across, y=up)
    base = alt.Chart(sets).encode(color=colour)
    wide = base.mark_rule(strokeWidth=2).encode(x=alt.X("left:Q"), x2="right:Q", y=up)
    high = base.mark_rule(strokeWidth=2).encode(x=across, y=alt.Y("below:Q"), y2="above:Q")
    shape = alt.Shape("shape:N").scale(None)
    fill, size = alt.Fill("fill:N").scale(None), alt.Size("size:Q").scale(None)
    # Pictures stand in the data of the layer that shows them alone, and not once in each.
    marks = (
        alt.Chart(table(marked))
        .mark_point(filled=False, strokeWidth=2)
        .encode(color=colour, x=across, y=up, fill=fill, shape=shape, size=size, tooltip=hints(marked, "label"))
    )
    text = base.mark_text(align="left", dx=BESIDE, fontWeight="bold").encode(
        x=alt.X("label_x:Q"), y=alt.Y("label_y:Q"), text="label:N"
    )
    halo = text.mark_text(align="left", dx=BESIDE, fontWeight="bold", stroke=PAPER, strokeWidth=4, strokeJoin="round")
    layers = alt.layer(faint, wide, high, marks, halo.encode(color=alt.value(PAPER)), text)
    chart = layers.properties(width=WIDTH, height=HEIGHT, title=title)
    return themed(chart, f"Diversity and recognizability of {', '.join(scored.sets)} on {scored.source.name}")


def _shown(row: dict[str, Any], samples: Mapping[str, str]) -> dict[str, str]:
    """The picture of a set; a field that is called image is shown as one."""
    return {"image": samples[row["set"]]} if row.get("set") in samples else {}


def hints(rows: Sequence[Mapping[str, Any]], *names: str) -> list[alt.Tooltip]:
    """What a page shows of a point that one points at: names, the two axes and, where there are any, samples."""
    numbers = [alt.Tooltip("diversity:Q", format=".2f"), alt.Tooltip("recognizability:Q", format=".1%")]
    images = [alt.Tooltip("image:N")] if any("image" in row for row in rows) else []
    return [*(alt.Tooltip(f"{name}:N") for name in names), *numbers, *images]


def _sets(scored: SampleScores) -> list[dict[str, Any]]:
    """A row for each set: its values, the ends of its intervals, how it is marked, and where its name stands."""
    others = [name for name in scored.sets if name != HUMAN]
    palette = {**dict(zip(others, colours(len(others)), strict=True)), HUMAN: INK}
    rows = []
    for name in (HUMAN, *others):  # people first: nothing is hidden below their star
        diversity, recognizability = _row(scored, name, "diversity"), _row(scored, name, "recognizability")
        row: dict[str, Any] = {
            "set": name,
            "label": "people" if name == HUMAN else short(name),
            "colour": palette[name],
        }
        row |= {"diversity": diversity.number, "recognizability": recognizability.number}
        row |= dict(zip(("left", "right"), for_others(diversity) or (), strict=False))
        row |= dict(zip(("below", "above"), for_others(recognizability) or (), strict=False))
        row |= {"shape": STAR, "size": 180, "fill": INK} if name == HUMAN else {"shape": "circle", "size": 70}
        row.setdefault("fill", PAPER if _yardstick(name) else palette[name])
        rows.append(row)
    return _labelled([*rows, *map(_published, scored.published)])


def _published(model: PublishedModel) -> dict[str, Any]:
    """A model of the paper, which has no bars; people's place in the paper needs no name beside their star."""
    name = "" if model.name == HUMAN else model.name
    place = {"diversity": model.diversity, "recognizability": model.recognizability}
    return place | {"label": name, "colour": SOFT, "fill": PAPER, "shape": "diamond", "size": 90}


def _labelled(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows with the places of their names: to the right of all bars, and none on another."""
    points = [(row["diversity"], row["recognizability"]) for row in rows]
    starts = [(max(x, row.get("right", x)), y) for row, (x, y) in zip(rows, points, strict=True)]
    reach = np.ptp(np.array(points), axis=0).tolist()
    widths = [(LETTER * len(row["label"]) + 2 * BESIDE) / WIDTH * reach[0] for row in rows]
    heights = apart(starts, widths, LINE / HEIGHT * reach[1], points)
    return [row | {"label_x": x, "label_y": y} for row, (x, _), y in zip(rows, starts, heights, strict=True)]


def _row(scored: SampleScores, name: str, metric: str) -> Row:
    row = scored.row(name, metric)
    assert row is not None
    return row


def _yardstick(name: str) -> bool:
    """Whether nobody had to train what drew a set."""
    named = find_name("generators", name)
    return name == FRESH if named is None else not hasattr(find_class("generators", named.name), "presets")
