"""What the committed study of intervals must show: they hold where they are given."""

import pytest
from scipy import stats

from fairshot.reports.coverage import facts
from fairshot.results.schema import read_result
from fairshot.results.study_rows import CoverageRow
from tests.paths import RESULTS

pytestmark = pytest.mark.results
RESULT = read_result(RESULTS / "coverage.json")
REFUSED = 0.2  # settings with more refused intervals than this are outside the range in which intervals are given


def in_range() -> list[CoverageRow]:
    kinds = ("images", "classes", "parents", "quoted")
    return [row for row in RESULT.rows if row.null <= REFUSED and row.population in kinds]


def guarded(row: CoverageRow) -> bool:
    """Whether the interval reaches as far as hopeless classes that nobody drew: few classes, most of them easy."""
    return row.population == "classes" and row.accuracy > 0.8 and row.units["classes"] <= 60


def test_intervals_hold_in_every_setting_in_which_they_are_given() -> None:
    assert len({(row.part, row.task, row.learner, row.population) for row in in_range()}) >= 40
    for row in in_range():
        least = 0.93 if row.units["classes"] >= 40 or "hopeless" in row.part else 0.90
        most = 0.99 if guarded(row) else 0.98  # without hopeless classes, one side of a guarded interval never errs
        assert least <= row.value <= most, (row.part, row.task, row.episodes)
        assert row.repetitions >= 1000


def test_beyond_chance_no_setting_lies_below_93_and_three_above_98_percent() -> None:
    """Of all rows, also those where most intervals are refused: by exact binomial intervals of how often they held."""
    low, high = [], []
    for row in RESULT.rows:
        given = round(row.repetitions * (1 - row.null))
        held = stats.binomtest(round(row.value * given), given).proportion_ci(0.95)
        low += [row] if held.high < 0.93 else []
        high += [row] if held.low > 0.98 else []
    assert not low
    assert sorted(round(row.value, 3) for row in high) == [0.989, 0.989, 1.0]


def test_they_are_hardly_wider_than_an_ideal_interval_but_for_the_ceiling() -> None:
    wide = [row for row in in_range() if facts(row)["width"] > 1.3 and "hopeless" not in row.part]
    assert all(row.accuracy > 0.93 for row in wide)
    assert len([row for row in wide if "simulated" in row.part]) <= 3
    assert all(facts(row)["width"] < 1.5 for row in in_range() if "hopeless" in row.part)


def test_families_turned_characters_and_hopeless_classes_are_among_the_settings() -> None:
    parts = {row.part for row in in_range()}
    assert sum("hopeless" in part for part in parts) >= 10
    assert sum("turns" in part for part in parts) == 1
    assert {row.part.split(",")[0] for row in in_range() if row.population == "quoted"} == {
        "simulated",
        "CIFAR-100",
        "Omniglot",
    }


def test_the_paired_test_raises_false_alarms_as_rarely_as_it_says() -> None:
    null = [row for row in in_range() if row.difference_is_zero]
    assert len(null) >= 8
    assert all(0.02 <= 1 - row.value <= 0.0601 for row in null)
    assert all(1 - row.value >= 0.03 for row in null if row.null <= 0.1)  # refusing some makes the others careful


def test_the_usual_interval_does_not_hold_for_fresh_classes() -> None:
    classes = [row for row in in_range() if row.population == "classes" and row.episodes >= 1000]
    assert len(classes) >= 10
    assert all(row.usual < 0.75 for row in classes)
