"""Two numbers a class against each other, as a picture: a panel for each pair that a study compared."""

from collections.abc import Iterator, Sequence

import numpy as np

from fairshot.reports.charts.panels import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, sheet
from fairshot.results.schema import Result
from fairshot.results.study_rows import CriticResult

ACROSS = 4
COLOUR, POINT = "#0072b2", 'stroke-width="4" stroke-linecap="round" stroke-opacity="0.5" fill="none"'


def picture(result: Result) -> str:
    """An SVG with a point for each class, and both correlations in the title of a panel."""
    assert isinstance(result, CriticResult)
    by_class = result.by_class
    found = {(row.learner, row.task, row.metric): row.value for row in result.rows}
    panels = []
    for first, second in dict.fromkeys((row.learner, row.task) for row in result.rows if row.metric == "spearman"):
        rank, line = (found[first, second, statistic] for statistic in ("spearman", "pearson"))
        title = "no order" if rank is None or line is None else f"ρ {rank:.2f}, r {line:.2f}"
        panels.append(_panel(title, (first, by_class[first]), (second, by_class[second])))
    return sheet(panels, [f'<text x="{LEFT}" y="20">A point is a class of drawings by people.</text>'], ACROSS)


def _panel(title: str, across: tuple[str, Sequence[float]], up: tuple[str, Sequence[float]]) -> Iterator[str]:
    """The first to the right, the second upwards."""
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    xs = LEFT + (right - LEFT) * _shares(across[1])
    ys = bottom - (bottom - TOP) * _shares(up[1])
    yield f'<text x="{LEFT}" y="16"><tspan font-weight="bold">{title}</tspan> ↑ {up[0]}</text>'
    yield f'<path d="M{LEFT} {TOP}V{bottom}H{right}" fill="none" stroke="#999"/>'
    for value, y in ((min(up[1]), bottom), (max(up[1]), TOP + 8)):
        yield f'<text x="{LEFT - 4}" y="{y}" text-anchor="end">{value:.3g}</text>'
    yield f'<text x="{LEFT}" y="{bottom + 14}">{min(across[1]):.3g}</text>'
    yield f'<text x="{(LEFT + right) / 2:g}" y="{bottom + 14}" text-anchor="middle">{across[0]} →</text>'
    yield f'<text x="{right}" y="{bottom + 14}" text-anchor="end">{max(across[1]):.3g}</text>'
    points = "".join(f"M{x:.1f} {y:.1f}h0" for x, y in zip(xs, ys, strict=True))
    yield f'<path d="{points}" stroke="{COLOUR}" {POINT}/>'


def _shares(values: Sequence[float]) -> np.ndarray:
    """From 0 at the smallest to 1 at the largest; the middle where all are the same."""
    own = np.array(values)
    return (own - own.min()) / np.ptp(own) if np.ptp(own) else np.full(len(own), 0.5)
