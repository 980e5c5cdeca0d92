"""The lesson of the demonstration: what structure costs, and how far an interval reaches."""

from pathlib import Path
from typing import Any

from fairshot.reports.demonstration import lesson, short_tables
from fairshot.results.evaluation import Evaluation
from fairshot.results.records import NoRecords
from fairshot.results.schema import Result, Row, SourceName

TASK = "5-way 5-shot 5-query"


def row(learner: str, value: float, **more: Any) -> Row:
    named = {"part": "p", "metric": "accuracy", "episodes": 100, "episodes_key": "e", "headline": "classes"}
    wide, usual = (value - 0.04, value + 0.04), (value - 0.01, value + 0.01)
    intervals = {"episodes": usual, "classes": wide}
    return Row(**{"learner": learner, "task": TASK, "value": value, "intervals": intervals, **named, **more})


def evaluation(*rows: Row) -> Evaluation:
    source = SourceName(name="p", fingerprint="f", recipe="raw")
    return Evaluation(Result(seed=0, source=source, rows=list(rows), episodes_key="e"), NoRecords(Path("p")))


def test_structure_and_certainty_are_said_of_the_best_learner() -> None:
    within = {"task": f"within-parent {TASK}", "counterpart": TASK}
    found = evaluation(row("a", 0.9), row("a", 0.7, **within), row("b", 0.8), row("b", 0.75, **within))
    assert lesson(found) == [
        "Episodes of any classes hide how hard it is to distinguish similar ones: of one parent, a makes 30.0% errors "
        "instead of 10.0%, 3.0 times as many.",
        "Its 90.0% are accurate to ±4.0 points for new classes; the ±1.0 that papers print cover only which episodes "
        "were drawn.",
    ]
    assert lesson(found, "alphabet")[0].startswith("Episodes of any classes hide how hard it is to distinguish similar")
    assert "of one alphabet, a makes" in lesson(found, "alphabet")[0]
    assert lesson(evaluation(row("a", 0.9)))[0].startswith("The 90.0% of a are accurate to ±4.0 points")
    (table,) = short_tables(found, ["no network was trained"])
    assert [cell.value for cell in table.column("difference")] == [0.7 - 0.9, 0.75 - 0.8]
    assert table.notes[-1] == "No network was trained."


def test_without_parents_or_intervals_nothing_is_made_up() -> None:
    found = evaluation(row("a", 0.9, headline="", intervals={"episodes": (0.8, 1.0)}))
    (said,) = lesson(found)
    assert said.startswith("How accurate the 90.0% of a are for other classes cannot be said with so little data")
    (table,) = short_tables(found)
    assert [column.name for column in table.columns] == ["learner", "any classes"]
