"""Published numbers beside ours."""

import pytest

from fairshot.reports.reproduction import deviations, study_line
from tests.reports.test_demonstration import row

ABOUT = {"paper": "P", "seconds": "120", "preset": "paper", "command": "fairshot run x"}


def test_deviations_are_ours_minus_published() -> None:
    table = deviations([row("a", 0.9, published=0.88), row("b", 0.5)])
    assert table is not None
    assert [cell.value for cell in table.column("ours minus published")] == [pytest.approx(0.02)]
    assert table.column("inside the interval") == ["yes"]
    assert deviations([row("b", 0.5)]) is None


def test_a_study_is_one_line() -> None:
    rows = [row("a", 0.9, published=0.88), row("b", 0.5, published=0.4), row("c", 0.5)]
    name, paper, inside, mean, largest, preset, minutes, command = study_line("x", ABOUT, rows)
    assert (name, paper, inside, preset, command) == ("x", "P", "1 of 2", "paper", "fairshot run x")
    assert (mean.value, largest.value, minutes.value) == (pytest.approx(0.06), pytest.approx(0.1), 2.0)
    assert study_line("x", ABOUT, [])[2:5] == ["none published", None, None]


def test_the_interval_of_a_row_that_has_one_alone_counts_and_rows_without_any_do_not() -> None:
    correlation = row("a", 0.9, published=0.88).model_copy(
        update={"intervals": {"parents": (0.85, 0.95)}, "headline": ""}
    )
    without = row("b", 0.9, published=0.88).model_copy(update={"intervals": {}, "headline": ""})
    assert study_line("x", ABOUT, [correlation, without])[2] == "1 of 1"
    assert study_line("x", ABOUT, [without])[2] == "no interval"
