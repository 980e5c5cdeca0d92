"""In and out of distribution: what the committed results must show."""

import pytest

from fairshot.results.schema import Result, Row, read_result
from fairshot.specs.registry import find_module
from tests.paths import RESULTS

pytestmark = pytest.mark.results


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
    assert {table.title for table in result.study_tables} >= {"agreement", "losses"}
    assert {row.learner for row in result.rows} == {"PN", "RR", "MB", "IC"}


@pytest.fixture
def flips() -> list[Row]:
    return committed("two_sides_flips").rows


def test_flips_are_counted_on_a_hundred_novel_parts_with_twenty_thousand_tasks(flips: list[Row]) -> None:
    drawn = [row for row in flips if row.learner != "IC"]
    assert {row.episodes for row in flips} == {100}
    assert {row.tasks for row in drawn} == {20_000}
    for label in {row.part for row in drawn}:
        for gap in (0.5, 1):
            own = [row for row in drawn if row.part == label and f"a gap of {gap:g}," in row.task]
            assert max(row.seconds for row in own) < 600
            assert own[0].gap == pytest.approx(gap / 100, abs=0.0025)


def test_flips_fall_with_more_novel_classes_and_a_larger_gap(flips: list[Row]) -> None:
    drawn = [row for row in flips if row.learner != "IC"]
    shares: dict[tuple[str, bool], list[float]] = {}
    for row in drawn:
        shares.setdefault((row.part, "a gap of 1," in row.task), []).append(row.number)
    for label in {row.part for row in drawn}:
        small, large = shares[label, False], shares[label, True]
        assert small[-1] <= small[0]
        assert large[-1] <= large[0]
        assert sum(large) <= sum(small)


def test_ordinary_classification_flips_less_than_twenty_novel_classes(flips: list[Row]) -> None:
    reference = [row.number for row in flips if row.learner == "IC"]
    few = [row.number for row in flips if row.learner != "IC" and row.novel_classes == 20]
    assert max(reference) <= max(few)


def test_choices_are_reported_on_both_sides() -> None:
    result = committed("two_sides_choices")
    tables = {table.title: table for table in result.study_tables}
    assert {row[0].partition(",")[0] for row in tables["trades"].rows} == {"PN", "FOMAML"}
    assert {row[1] for row in tables["losses"].rows} == {"BaseGen", "ValGen", "support cross-validation"}
