"""What the committed study of intervals must show: they hold where they are given."""

import pytest

from fairshot.reports.coverage import facts
from fairshot.results.schema import read_result
from fairshot.results.study_rows import CoverageRow
from tests.paths import RESULTS

pytestmark = pytest.mark.results
RESULT = read_result(RESULTS / "coverage.json")
REFUSED = 0.2  # settings with more refused intervals than this are outside the range in which intervals are given


def in_range() -> list[CoverageRow]:
    kinds = ("images", "classes", "parents")
    return [row for row in RESULT.rows if row.null <= REFUSED and row.population in kinds]


def test_intervals_hold_in_every_setting_in_which_they_are_given() -> None:
    assert len({(row.part, row.task, row.learner, row.population) for row in in_range()}) >= 20
    for row in in_range():
        least = 0.93 if row.units["classes"] >= 40 else 0.90
        assert least <= row.value <= 0.98, (row.part, row.task, row.episodes)
        assert row.repetitions >= 1000


def test_they_are_hardly_wider_than_an_ideal_interval_but_for_the_ceiling() -> None:
    wide = [row for row in in_range() if facts(row)["width"] > 1.3]
    assert all(row.accuracy > 0.94 for row in wide)
    assert len(wide) <= 3


def test_the_paired_test_raises_false_alarms_as_rarely_as_it_says() -> None:
    null = [row for row in in_range() if row.difference_is_zero]
    assert len(null) >= 8
    assert all(0.03 <= 1 - row.value <= 0.0601 for row in null)


def test_the_usual_interval_does_not_hold_for_fresh_classes() -> None:
    classes = [row for row in in_range() if row.population == "classes" and row.episodes >= 1000]
    assert len(classes) >= 10
    assert all(row.usual < 0.75 for row in classes)
