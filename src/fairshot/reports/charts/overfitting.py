"""Loss and accuracy of every snapshot on trained and on held-out drawings: a column of panels for each learner."""

from fairshot.reports.charts.panels import Panel, drawn, evenly
from fairshot.results.schema import Result

COLOURS = {"trained drawings": "#0072b2", "held-out drawings": "#d55e00"}
MEASURES = {"loss": (1, 2), "accuracy": (100, 0)}  # what each is multiplied by, and its digits


def picture(result: Result) -> str:
    """An SVG: losses above, accuracies in percent below."""
    learners = list(dict.fromkeys(row.learner for row in result.rows))
    panels = []
    for measure, (scale, digits) in MEASURES.items():
        for learner in learners:
            curves = {
                what: [
                    scale * row.number
                    for row in result.rows
                    if (row.learner, row.task, row.metric) == (learner, what, measure)
                ]
                for what in COLOURS
            }
            ends = ("1", f"snapshot {max(map(len, curves.values()))}")
            shown = {what: evenly(values) for what, values in curves.items()}
            panels.append(Panel(f"{learner}: {measure}", shown, ends, digits))
    return drawn(panels, COLOURS, len(learners))
