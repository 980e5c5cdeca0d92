"""In and out of distribution: what the committed results must show."""

from pathlib import Path

from fairshot.resolve import find_module
from fairshot.runtime.result import Result, read_result

RESULTS = Path(__file__).parent.parent.parent / "results"


def committed(name: str) -> Result:
    return read_result(RESULTS / f"{name}.json")


def test_six_learners_are_ranked_in_and_out_of_distribution() -> None:
    result = committed("two_sides_table1")
    columns = {row.task: row.side for row in result.rows}
    assert sorted(columns.values()).count("in") >= 3
    assert sorted(columns.values()).count("out") >= 3
    for task in columns:
        own = [row for row in result.rows if row.task == task]
        assert len(own) in (4, 6)
        assert sorted(row.rank for row in own) == list(range(1, len(own) + 1))
        assert all(row.ranks[0] <= row.rank <= row.ranks[1] for row in own)
    assert {row.published for row in result.rows if row.task == "one drawer a task"} == {0.9472, 0.9471, 0.9422, None}


def test_every_course_has_at_least_fifteen_snapshots() -> None:
    result = committed("two_sides_snapshots")
    for learner, task in find_module("studies", "two_sides_snapshots").STUDY.cells:
        own = [row for row in result.rows if (row.learner, row.task) == (learner, task)]
        assert [row.snapshot for row in own] == list(range(1, len(own) + 1))
        assert len(own) >= 15
    assert {each.title for each in result.facts} >= {"agreement", "losses"}
    assert {row.learner for row in result.rows} == {"PN", "RR", "MB", "IC"}
