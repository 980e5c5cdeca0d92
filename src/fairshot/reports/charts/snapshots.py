"""How every snapshot of a training does on each side, as a picture: a panel for each benchmark and learner."""

from fairshot.reports.charts.panels import Panel, drawn, evenly
from fairshot.results.schema import Result
from fairshot.results.study_rows import SnapshotRow

ACROSS = 4
COLOURS = {
    "BaseGen": "#0072b2", "ValGen": "#e69f00", "NovelGen": "#d55e00", "support cross-validation": "#009e73",
    "val images": "#e69f00", "test images": "#d55e00",
}  # fmt: skip


def picture(result: Result) -> str:
    """An SVG with the curves of a study of snapshots in percent, four panels across."""
    panels: dict[tuple[str, str], dict[str, list[float]]] = {}
    for row in (row for row in result.rows if isinstance(row, SnapshotRow)):
        panels.setdefault((row.benchmark, row.learner), {}).setdefault(row.part, []).append(100 * row.number)
    shown = [
        Panel(
            f"{benchmark}, {learner}",
            {name: evenly(values) for name, values in curves.items()},
            ("1", f"snapshot {max(map(len, curves.values()))}"),
        )
        for (benchmark, learner), curves in panels.items()
    ]
    return drawn(shown, COLOURS, ACROSS)
