"""The score against the number of shots, drawn with characters in the terminal."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from rich.console import Console

from fairshot.evaluation.shots import POPULATIONS
from fairshot.results.population_headings import POPULATIONS as HEADINGS
from fairshot.results.schema import ShotCurve
from fairshot.tables.words import plain

COLUMNS, LINES = 52, 12  # of the drawing itself; axes come on top
BLOCKS = {"wide": "░", "narrow": "▒", "line": "·", "point": "●", "axis": "│", "corner": "└", "floor": "─"}
ASCII = {"wide": ".", "narrow": ":", "line": "-", "point": "o", "axis": "|", "corner": "+", "floor": "-"}


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
    """Every curve with what its bands mean; the notes of the table say in a sentence what it shows."""
    console = console or Console(emoji=False)
    ascii_only = not _encodes(console.encoding)
    marks = ASCII if ascii_only else BLOCKS
    for curve in curves:
        wide = wide_population(curve)
        outer = f"{marks['wide']} {POPULATIONS[wide]}, " if wide != "episodes" else ""
        usual = f"{outer}{marks['narrow']} {HEADINGS['episodes'].heading}"
        legend = usual if band(curve, "episodes") else "no intervals"
        for text in (
            f"\n{curve.learner}, {curve.family}: {curve.metric} in percent ({legend})",
            draw_curve(curve, ascii_only=ascii_only),
        ):
            console.print(text, markup=False, highlight=False, soft_wrap=True)


def _encodes(encoding: str) -> bool:
    try:
        "".join(BLOCKS.values()).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
