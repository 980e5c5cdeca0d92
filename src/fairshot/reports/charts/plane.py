"""Diversity against recognizability, the main figure of Boutin et al. 2022: a point for each set, a star for people."""

import numpy as np

from fairshot.reports.charts.shot_curve import COLOURS
from fairshot.reports.charts.svg import GREY, Axes, apart, document, span, text
from fairshot.results.schema import Row
from fairshot.scoring.measures.human_distance import HUMAN
from fairshot.scoring.sample_scores import Scored, for_others
from fairshot.specs.registry import names

WIDTH, HEIGHT = 720, 460
LEFT, TOP, RIGHT, BOTTOM = 64, 44, 150, 48
FRESH = "fresh"
AXES = ("diversity", "recognizability")


def plane(found: Scored) -> str:
    """An SVG: bars are 95% for other classes, faint dots the classes of people's drawings."""
    axes = _axes(found)
    body = [
        text(LEFT, 18, f"{found.classes} classes of {found.source.name}, critics {found.critic}", 'font-weight="bold"'),
        text(
            LEFT,
            34,
            "bars: 95% for other classes; faint: single classes of people; rings: yardsticks",
            f'fill="{GREY}"',
        ),
        *axes.lines("diversity (Eq. 2)", f"recognizability, {found.way}-way", percent=True),
    ]
    for row in found.by_class:
        if row.samples == HUMAN:
            x, y = (axes.x(row.values["diversity"]), axes.y(row.values["recognizability"]))
            body.append(f'<circle cx="{x}" cy="{y}" r="2" fill="#000" fill-opacity="0.15"/>')
    heights = apart([axes.y(found.pool[name][1]) - 5 for name in found.sets])
    colours = {name: COLOURS[k % (len(COLOURS) - 1)] for k, name in enumerate(found.sets)} | {HUMAN: "#000"}
    for name, height in zip(found.sets, heights, strict=True):
        body += _point(found, name, axes, colours[name], height)
    return document(WIDTH, HEIGHT, body)


def _axes(found: Scored) -> Axes:
    ends: dict[str, list[float]] = {metric: [] for metric in AXES}
    for metric in AXES:
        ends[metric] += [row.values[metric] for row in found.by_class if row.samples == HUMAN]
        for name in found.sets:
            row = _row(found, name, metric)
            ends[metric] += [row.number, *(for_others(row) or ())]
    across, up = span(ends["diversity"], 0), span(ends["recognizability"], 0, 1)
    return Axes(LEFT, TOP, WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM, across, up)


def _row(found: Scored, name: str, metric: str) -> Row:
    row = found.row(name, metric)
    assert row is not None
    return row


def _point(found: Scored, name: str, axes: Axes, colour: str, height: float) -> list[str]:
    """The intervals as bars, the mark, and its name to the right."""
    rows = [_row(found, name, metric) for metric in AXES]
    x, y = axes.x(rows[0].number), axes.y(rows[1].number)
    parts = []
    across, up = map(for_others, rows)
    if across:
        parts.append(f'<path d="M{axes.x(across[0])} {y}H{axes.x(across[1])}" stroke="{colour}"/>')
    if up:
        parts.append(f'<path d="M{x} {axes.y(up[0])}V{axes.y(up[1])}" stroke="{colour}"/>')
    if name == HUMAN:
        parts.append(f'<path d="{_star(x, y)}" fill="{colour}"/>')
    else:
        yardstick = name == FRESH or name.partition(":")[0].replace("-", "_") in names("generators")
        fill = "white" if yardstick else colour
        parts.append(f'<circle cx="{x}" cy="{y}" r="4.5" fill="{fill}" stroke="{colour}" stroke-width="1.5"/>')
    return [*parts, text(x + 8, height, "people" if name == HUMAN else short(name), f'fill="{colour}"')]


def short(name: str, most: int = 24) -> str:
    """The end of a long name, where files tell what they are."""
    return name if len(name) <= most else f"…{name[1 - most :]}"


def _star(x: float, y: float) -> str:
    turns = np.arange(10) * np.pi / 5
    reach = np.where(np.arange(10) % 2, 4, 10)
    places = zip(x + reach * np.sin(turns), y - reach * np.cos(turns), strict=True)
    return "M" + "L".join(f"{across:.1f} {down:.1f}" for across, down in places) + "Z"
