"""How every snapshot of a training does on each side: a panel for each benchmark and learner."""

import altair as alt
from altair.typing import ChartType

from fairshot.reports.charts.chart import themed
from fairshot.reports.charts.panels import Panel, Point, Style, grid
from fairshot.reports.charts.theme import AMBER, BLUE, GREEN, VERMILLION
from fairshot.results.schema import Result
from fairshot.results.study_rows import SnapshotRow

COLUMNS = 4
COLOURS = {
    "BaseGen": BLUE,
    "ValGen": AMBER,
    "NovelGen": VERMILLION,
    "support cross-validation": GREEN,
    "val images": AMBER,
    "test images": VERMILLION,
}
IMAGES = ("val images", "test images")


def snapshot_chart(result: Result) -> ChartType:
    """The curves of a study of snapshots, with bands for more episodes of the same images."""
    panels: dict[tuple[str, str], dict[str, list[Point]]] = {}
    for row in (row for row in result.rows if isinstance(row, SnapshotRow)):
        curve = panels.setdefault((row.benchmark, row.learner), {}).setdefault(row.part, [])
        curve.append(Point(row.part, row.snapshot, row.number, row.intervals.get("episodes")))
    charts = [
        Panel(f"{benchmark}, {learner}", [point for curve in curves.values() for point in curve], "~%")
        for (benchmark, learner), curves in panels.items()
    ]
    across = alt.X("x:Q").scale(nice=False).axis(values=[1, 5, 10, 15, 20, 25, 30])
    chart = grid(charts, Style(across, "snapshot", COLOURS, width=146, dashed=IMAGES), COLUMNS)
    return themed(chart, "The accuracy of every snapshot of a training on every side, by benchmark and learner")
