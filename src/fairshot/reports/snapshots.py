"""How every snapshot of a training does on each side, as a picture: a panel for each benchmark and learner."""

from collections.abc import Iterator, Mapping, Sequence

from fairshot.reports.panels import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, sheet
from fairshot.runtime.result import Result

COLOURS = {
    "BaseGen": "#0072b2", "ValGen": "#e69f00", "NovelGen": "#d55e00", "support cross-validation": "#009e73",
    "val images": "#e69f00", "test images": "#d55e00",
}  # fmt: skip
Curves = Mapping[str, Sequence[float]]


def picture(result: Result) -> str:
    """An SVG with the curves of a study of snapshots, four panels across."""
    panels: dict[tuple[str, str], dict[str, list[float]]] = {}
    for row in result.rows:
        benchmark, _, quantity = row.task.rpartition(", ")
        panels.setdefault((benchmark, row.learner), {}).setdefault(quantity, []).append(100 * row.number)
    legend = _legend([name for name in COLOURS if any(name in curves for curves in panels.values())])
    return sheet([_panel(f"{one}, {learner}", curves) for (one, learner), curves in panels.items()], legend)


def _legend(names: Sequence[str]) -> Iterator[str]:
    for number, name in enumerate(names):
        x = LEFT + number * 160
        yield f'<path d="M{x} 16h20" stroke="{COLOURS[name]}" stroke-width="2"/><text x="{x + 26}" y="20">{name}</text>'


def _panel(title: str, curves: Curves) -> Iterator[str]:
    """Snapshots from left to right, percent upwards."""
    low = min(min(values) for values in curves.values())
    high = max(max(values) for values in curves.values())
    low, high = (low, high) if high > low else (low - 1, high + 1)
    count = max(len(values) for values in curves.values())

    def place(number: int, value: float) -> str:
        x = LEFT + (WIDTH - LEFT - RIGHT) * number / max(count - 1, 1)
        return f"{x:.1f} {HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - low) / (high - low):.1f}"

    bottom = HEIGHT - BOTTOM
    yield f'<text x="{LEFT}" y="16" font-weight="bold">{title}</text>'
    yield f'<path d="M{LEFT} {TOP}V{bottom}H{WIDTH - RIGHT}" fill="none" stroke="#999"/>'
    for value, y in ((low, bottom), (high, TOP + 8)):
        yield f'<text x="{LEFT - 4}" y="{y}" text-anchor="end">{value:.0f}</text>'
    yield f'<text x="{LEFT}" y="{bottom + 14}">1</text>'
    yield f'<text x="{WIDTH - RIGHT}" y="{bottom + 14}" text-anchor="end">snapshot {count}</text>'
    for name, values in curves.items():
        path = "L".join(place(number, value) for number, value in enumerate(values))
        yield f'<path d="M{path}" fill="none" stroke="{COLOURS[name]}" stroke-width="1.8"/>'
