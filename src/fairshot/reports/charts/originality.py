"""Recognizability over originality: how far from the exemplar may a drawing go and be known, beside people?"""

from fairshot.reports.charts.plane import short
from fairshot.reports.charts.shot_curve import COLOURS
from fairshot.reports.charts.svg import FAINT, GREY, Axes, apart, document, span, text
from fairshot.scoring.sample_scores import HUMAN, BandScore, SampleScores

WIDTH, HEIGHT = 720, 420
LEFT, TOP, RIGHT, BOTTOM = 64, 44, 150, 48


def originality_picture(found: SampleScores) -> str:
    """An SVG with a line for each set and for people, a point for each band of people's originality."""
    bands = [band for own in found.originality.values() for band in own]
    known = [band.recognizability for band in bands if band.recognizability is not None]
    across = span([end for band in bands for end in (band.low, band.high)], 0)
    axes = Axes(
        LEFT, TOP, WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM, across,
        span([*known, *(band.human for band in bands)], 0, 1),
    )  # fmt: skip
    told = "bands hold as many of people's drawings each; the larger a point, the more samples"
    body = [
        text(LEFT, 18, f"{found.classes} classes of {found.source.name}, critics {found.critic}", 'font-weight="bold"'),
        text(LEFT, 34, told, f'fill="{GREY}"'),
        *axes.lines("originality: distance to the exemplar", f"recognizability, {found.way}-way", percent=True),
    ]
    curves = {**found.originality, HUMAN: _people(found)}
    ends = sorted({band.high for band in curves[HUMAN]})
    body += [f'<path d="M{axes.x(end)} {TOP}V{HEIGHT - BOTTOM}" stroke="{FAINT}"/>' for end in ends]
    colours = [COLOURS[k % (len(COLOURS) - 1)] for k in range(len(curves) - 1)] + ["#000"]
    lasts = [_places(own, axes)[-1:] for own in curves.values()]
    heights = apart([last[0][1] + 4 if last else HEIGHT - BOTTOM - 4 for last in lasts])
    for (name, own), colour, height in zip(curves.items(), colours, heights, strict=True):
        body += _curve(own, axes, colour)
        label = "people" if name == HUMAN else short(name)
        told = label if _places(own, axes) else f"{label}: none"
        body.append(text(WIDTH - RIGHT + 8, height, told, f'fill="{colour}"'))
    return document(WIDTH, HEIGHT, body)


def _people(found: SampleScores) -> list[BandScore]:
    """Their own part of the bands; the first of a set begins lower, where its samples do."""
    bands = max(found.originality.values(), key=lambda own: own[0].low)
    return [band.model_copy(update={"recognizability": band.human, "share": 1 / len(bands)}) for band in bands]


def _places(bands: list[BandScore], axes: Axes) -> list[tuple[float, float, float]]:
    """Where the middle of each band stands that has samples, and how large its point is."""
    return [
        (axes.x((band.low + band.high) / 2), axes.y(band.recognizability), 2 + 6 * band.share**0.5)
        for band in bands
        if band.recognizability is not None
    ]


def _curve(bands: list[BandScore], axes: Axes, colour: str) -> list[str]:
    places = _places(bands, axes)
    if not places:
        return []
    line = "L".join(f"{x} {y}" for x, y, _ in places)
    points = [f'<circle cx="{x}" cy="{y}" r="{size:.1f}" fill="{colour}"/>' for x, y, size in places]
    return [f'<path d="M{line}" fill="none" stroke="{colour}" stroke-width="1.5"/>', *points]
