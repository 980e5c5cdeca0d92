"""Loss and accuracy of every snapshot on trained and on held-out drawings: a column of panels for each learner."""

import altair as alt
from altair.typing import ChartType

from fairshot.reports.charts.chart import themed
from fairshot.reports.charts.panels import Panel, Point, Style, grid
from fairshot.reports.charts.theme import BLUE, GREEN, VERMILLION
from fairshot.results.schema import Result

COLOURS = {"trained drawings": BLUE, "held-out drawings": VERMILLION, "drawings of unseen characters": GREEN}
FORMATS = {"loss": "~r", "accuracy": "~%"}  # of the numbers upwards, by measure


def overfitting_chart(result: Result) -> ChartType:
    """Losses above, accuracies below, with bands for new classes."""
    learners = list(dict.fromkeys(row.learner for row in result.rows))
    panels = []
    for measure, digits in FORMATS.items():
        for learner in learners:
            rows = [row for row in result.rows if (row.learner, row.metric) == (learner, measure)]
            points = [
                Point(drawings, number, row.number, row.intervals.get("classes"))
                for drawings in COLOURS
                for number, row in enumerate((row for row in rows if row.task == drawings), 1)
            ]
            panels.append(Panel(f"{learner}: {measure}", points, digits))
    last = max(point.x for panel in panels for point in panel.points)
    across = (
        alt.X("x:Q").scale(nice=False).axis(values=[1, *range(5, 31, 5)] if last <= 30 else [1, *range(20, 201, 20)])
    )
    shown = {
        drawings: colour for drawings, colour in COLOURS.items() if any(row.task == drawings for row in result.rows)
    }
    chart = grid(panels, Style(across, "snapshot", shown, width=205), len(learners))
    about = " and on ".join(shown)
    return themed(chart, f"Loss and accuracy of every snapshot of a training on {about}")
