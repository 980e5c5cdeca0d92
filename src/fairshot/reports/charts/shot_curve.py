"""The score against the number of shots: drawn with characters in the terminal, or as an SVG file."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

import numpy as np
from jaxtyping import Float
from rich.console import Console

from fairshot.evaluation.shots import LEAST_SHOTS, POPULATIONS, shot_families
from fairshot.results.schema import ShotCurve
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.files import complete_file
from fairshot.runtime.words import count_of, plain
from fairshot.tasks.task import TaskDistribution

COLUMNS, LINES = 52, 12  # of the drawing itself; axes come on top
BLOCKS = {"wide": "░", "narrow": "▒", "line": "·", "point": "●", "axis": "│", "corner": "└", "floor": "─"}
ASCII = {"wide": ".", "narrow": ":", "line": "-", "point": "o", "axis": "|", "corner": "+", "floor": "-"}
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")  # Okabe and Ito: for all eyes
WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 640, 400, 64, 40, 24, 52  # pixels of one panel and of its margins


@dataclass(frozen=True)
class Scale:
    """From shots and scores to places between 0 and 1; shots on a log scale."""

    shots: tuple[int, int]
    low: float
    high: float

    def x(self, shot: int) -> float:
        """Left is 0."""
        return float(np.log(shot / self.shots[0]) / np.log(self.shots[1] / self.shots[0]))

    def y(self, value: float) -> float:
        """The bottom is 0."""
        return (value - self.low) / (self.high - self.low)


def band(curve: ShotCurve, population: str) -> tuple[list[float], list[float]] | None:
    """Lows and highs at every point; nothing where one is missing."""
    found = [point.intervals.get(population) for point in curve.points]
    known = [interval for interval in found if interval is not None]
    return ([low for low, _ in known], [high for _, high in known]) if len(known) == len(found) else None


def wide_population(curve: ShotCurve) -> str:
    """The population of the outer band: the widest claim with an interval at every point."""
    return next((name for name in POPULATIONS if band(curve, name) is not None), "episodes")


def scale_of(curves: Sequence[ShotCurve]) -> Scale:
    """What holds every point and band of the curves, with a little air."""
    values = [point.value for curve in curves for point in curve.points]
    for curve in curves:
        for found in (band(curve, wide_population(curve)), band(curve, "episodes")):
            values += [*found[0], *found[1]] if found else []
    air = max(0.04 * (max(values) - min(values)), 0.002)
    shots = [point.shot for curve in curves for point in curve.points]
    return Scale((min(shots), max(shots)), min(values) - air, max(values) + air)


def draw_curve(curve: ShotCurve, *, ascii_only: bool = False) -> str:
    """One curve with its bands, about 60 characters wide."""
    marks, scale = ASCII if ascii_only else BLOCKS, scale_of([curve])
    grid = np.full((LINES, COLUMNS), " ")
    places = np.array([scale.x(point.shot) for point in curve.points])
    across = np.linspace(0, 1, COLUMNS)
    for name, mark in ((wide_population(curve), "wide"), ("episodes", "narrow")):
        found = band(curve, name)
        if found:
            low, high = (_line(np.interp(across, places, ends), scale) for ends in found)
            row = np.arange(LINES)[:, None]
            grid[(row >= high) & (row <= low)] = marks[mark]
    values = np.array([point.value for point in curve.points])
    grid[_line(np.interp(across, places, values), scale), np.arange(COLUMNS)] = marks["line"]
    columns = np.rint(places * (COLUMNS - 1)).astype(int)
    grid[_line(values, scale), columns] = marks["point"]
    labels = {line: plain(100 * _value(line, scale)) for line in (0, LINES // 2, LINES - 1)}
    drawn = [f"{labels.get(line, ''):>6} {marks['axis']}{''.join(cells)}".rstrip() for line, cells in enumerate(grid)]
    floor = f"{'':6} {marks['corner']}{marks['floor'] * COLUMNS}"
    return "\n".join([*drawn, floor, _shot_labels(curve, columns)])


def _line(values: Float[np.ndarray, " place"], scale: Scale) -> np.ndarray:
    """The line of the drawing, from above."""
    height = (values - scale.low) / (scale.high - scale.low)
    return np.clip(np.rint((1 - height) * (LINES - 1)), 0, LINES - 1).astype(int)


def _value(line: int, scale: Scale) -> float:
    return scale.high - line / (LINES - 1) * (scale.high - scale.low)


def _shot_labels(curve: ShotCurve, columns: np.ndarray) -> str:
    """The numbers below the axis; one that would touch its neighbour is left out."""
    text = ""
    for point, column in zip(curve.points, columns, strict=True):
        start = 8 + int(column) - len(str(point.shot)) // 2
        if not text or start > len(text):
            text = text.ljust(start) + str(point.shot)
    return text + " shots"


def render_curves(curves: Sequence[ShotCurve], console: Console | None = None) -> None:
    """Every curve with what its bands mean, and the sentence below it."""
    console = console or Console(emoji=False)
    ascii_only = not _encodes(console.encoding)
    marks = ASCII if ascii_only else BLOCKS
    for curve in curves:
        wide = wide_population(curve)
        outer = f"{marks['wide']} {POPULATIONS[wide]}, " if wide != "episodes" else ""
        legend = f"{outer}{marks['narrow']} sampler" if band(curve, "episodes") else "no intervals"
        for text in (
            f"\n{curve.learner}, {curve.family}: {curve.metric} in percent ({legend})",
            draw_curve(curve, ascii_only=ascii_only),
            curve.sentence,
        ):
            console.print(text, markup=False, highlight=False, soft_wrap=True)


def _encodes(encoding: str) -> bool:
    try:
        "".join(BLOCKS.values()).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def refuse_plot(path: Path | None, tasks: Sequence[TaskDistribution]) -> None:
    """Raises where there would be nothing to draw, before anything is evaluated."""
    if path is None:
        return
    if path.suffix != ".svg":
        raise FairshotError(f"--plot draws SVG, and {path} does not end in .svg: name it {path.stem}.svg")
    most = max((len(shots) for shots in shot_families(tasks).values()), default=0)
    if most < LEAST_SHOTS:
        there = f"{most} {'was' if most == 1 else 'were'} given" if most else "these tasks have none to set"
        raise FairshotError(
            f"--plot draws the score against at least {LEAST_SHOTS} numbers of shots, and {there}: ask for "
            "--shot 1,2,5,10"
        )


def write_svg(curves: Sequence[ShotCurve], path: Path) -> None:
    """Writes the drawing, or leaves what was there."""
    with complete_file(path) as unfinished:
        unfinished.write_text(svg(curves), encoding="utf-8")


def svg(curves: Sequence[ShotCurve]) -> str:
    """A panel for each family of tasks, one below the other, with a line for each learner."""
    families = list(dict.fromkeys(curve.family for curve in curves))
    panels = [
        f'<g transform="translate(0 {number * HEIGHT})">\n{_panel([c for c in curves if c.family == family])}\n</g>'
        for number, family in enumerate(families)
    ]
    height = HEIGHT * len(families)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        'font-family="sans-serif" font-size="12">'
    )
    return "\n".join([head, f'<rect width="{WIDTH}" height="{height}" fill="white"/>', *panels, "</svg>\n"])


def _panel(curves: Sequence[ShotCurve]) -> str:
    scale, first = scale_of(curves), curves[0]
    wide = list(dict.fromkeys(POPULATIONS[wide_population(curve)] for curve in curves))
    parts = [
        _text(LEFT, 16, f"{first.family}: {first.metric} in percent", "font-weight='bold'"),
        _text(LEFT, 31, f"95% bands: {', '.join(wide)} (light), sampler (dark)", "fill='#555'"),
        *_axes(curves, scale),
    ]
    for number, curve in enumerate(curves):
        colour = COLOURS[number % len(COLOURS)]
        parts += [*_bands(curve, scale, colour), *_marks(curve, scale, colour)]
        y = HEIGHT - BOTTOM - 8 - 16 * (len(curves) - 1 - number)
        if not first.higher_is_better:
            y = TOP + 14 + 16 * number
        parts.append(_text(WIDTH - RIGHT - 8, y, curve.learner, f"text-anchor='end' fill='{colour}'"))
    return "\n".join(parts)


def _place(shot: int, value: float, scale: Scale) -> tuple[float, float]:
    x = LEFT + 16 + scale.x(shot) * (WIDTH - LEFT - RIGHT - 32)
    return round(x, 2), round(HEIGHT - BOTTOM - scale.y(value) * (HEIGHT - TOP - BOTTOM), 2)


def _text(x: float | int, y: float | int, text: str, style: str = "") -> str:
    return f'<text x="{x}" y="{y}" {style}>{escape(text)}</text>'


def _axes(curves: Sequence[ShotCurve], scale: Scale) -> list[str]:
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    parts = [f'<path d="M{LEFT} {TOP}V{bottom}H{right}" fill="none" stroke="#333"/>']
    for value in _ticks(scale):
        y = _place(scale.shots[0], value, scale)[1]
        parts.append(f'<path d="M{LEFT} {y}H{right}" stroke="#ddd"/>')
        parts.append(_text(LEFT - 6, y + 4, f"{100 * value:g}", "text-anchor='end'"))
    for shot in sorted({point.shot for curve in curves for point in curve.points}):
        x = _place(shot, scale.low, scale)[0]
        parts.append(f'<path d="M{x} {bottom}v5" stroke="#333"/>')
        parts.append(_text(x, bottom + 18, str(shot), "text-anchor='middle'"))
    return [*parts, _text((LEFT + right) / 2, bottom + 38, "shots (log scale)", "text-anchor='middle'")]


def _ticks(scale: Scale) -> list[float]:
    """Four to ten round values."""
    span = scale.high - scale.low
    step = next(step for step in (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5) if span / step <= 10)
    return [round(k * step, 6) for k in range(int(np.ceil(scale.low / step)), int(np.floor(scale.high / step)) + 1)]


def _bands(curve: ShotCurve, scale: Scale, colour: str) -> list[str]:
    parts, shots = [], [point.shot for point in curve.points]
    for name, opacity in ((wide_population(curve), 0.15), ("episodes", 0.35)):
        found = band(curve, name)
        if found:
            ends = [*zip(shots, found[0], strict=True), *reversed(list(zip(shots, found[1], strict=True)))]
            parts.append(f'<polygon points="{_points(ends, scale)}" fill="{colour}" fill-opacity="{opacity}"/>')
    return parts


def _marks(curve: ShotCurve, scale: Scale, colour: str) -> list[str]:
    ends = [(point.shot, point.value) for point in curve.points]
    line = f'<polyline points="{_points(ends, scale)}" fill="none" stroke="{colour}" stroke-width="1.5"/>'
    circles = []
    for point in curve.points:
        x, y = _place(point.shot, point.value, scale)
        title = escape(f"{curve.learner}, {count_of(point.shot, 'shot')}: {plain(100 * point.value)}")
        circles.append(f'<circle cx="{x}" cy="{y}" r="3.5" fill="{colour}"><title>{title}</title></circle>')
    return [line, *circles]


def _points(ends: Sequence[tuple[int, float]], scale: Scale) -> str:
    return " ".join("{},{}".format(*_place(shot, value, scale)) for shot, value in ends)
