"""Small panels with curves, side by side in one SVG."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from fairshot.reports.charts.svg import document

WIDTH, HEIGHT = 250, 190
LEFT, RIGHT, TOP, BOTTOM = 34, 10, 26, 22  # what a panel leaves free at its edges
LEGEND = 30  # pixels above all panels


@dataclass(frozen=True)
class Panel:
    """Curves by name: places from 0 (left) to 1, and values upwards."""

    title: str
    curves: Mapping[str, Sequence[tuple[float, float]]]
    ends: tuple[str, str]
    """What stands below the left and the right end."""
    digits: int = 0
    """Of the lowest and the highest value."""


def drawn(panels: Sequence[Panel], colours: Mapping[str, str], across: int) -> str:
    """All panels below one legend, which names those curves that there are."""
    named = [name for name in colours if any(name in panel.curves for panel in panels)]
    return sheet([_lines(panel, colours) for panel in panels], _legend(named, colours), across)


def sheet(panels: Sequence[Iterable[str]], legend: Iterable[str], across: int) -> str:
    """A picture of panels, whatever is in them."""
    down, body = -(-len(panels) // across), list(legend)
    for number, panel in enumerate(panels):
        place = f"{number % across * WIDTH} {LEGEND + number // across * HEIGHT}"
        body += [f'<g transform="translate({place})">', *panel, "</g>"]
    return document(across * WIDTH, down * HEIGHT + LEGEND, body)


def evenly(values: Sequence[float]) -> list[tuple[float, float]]:
    """One after the other, from the left end to the right."""
    return [(number / max(len(values) - 1, 1), value) for number, value in enumerate(values)]


def _legend(names: Sequence[str], colours: Mapping[str, str]) -> Iterator[str]:
    for number, name in enumerate(names):
        x = LEFT + number * 160
        yield f'<path d="M{x} 16h20" stroke="{colours[name]}" stroke-width="2"/><text x="{x + 26}" y="20">{name}</text>'


def _lines(panel: Panel, colours: Mapping[str, str]) -> Iterator[str]:
    values = [value for curve in panel.curves.values() for _, value in curve]
    low, high = min(values), max(values)
    low, high = (low, high) if high > low else (low - 1, high + 1)

    def place(where: float, value: float) -> str:
        x = LEFT + (WIDTH - LEFT - RIGHT) * where
        return f"{x:.1f} {HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - low) / (high - low):.1f}"

    bottom = HEIGHT - BOTTOM
    yield f'<text x="{LEFT}" y="16" font-weight="bold">{panel.title}</text>'
    yield f'<path d="M{LEFT} {TOP}V{bottom}H{WIDTH - RIGHT}" fill="none" stroke="#999"/>'
    for value, y in ((low, bottom), (high, TOP + 8)):
        yield f'<text x="{LEFT - 4}" y="{y}" text-anchor="end">{value:.{panel.digits}f}</text>'
    yield f'<text x="{LEFT}" y="{bottom + 14}">{panel.ends[0]}</text>'
    yield f'<text x="{WIDTH - RIGHT}" y="{bottom + 14}" text-anchor="end">{panel.ends[1]}</text>'
    for name, curve in panel.curves.items():
        path = "L".join(place(*point) for point in curve)
        yield f'<path d="M{path}" fill="none" stroke="{colours[name]}" stroke-width="1.8"/>'
