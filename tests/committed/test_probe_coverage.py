"""What the committed study of probes must show: where their intervals hold, and that three seeds do not."""

import pytest

from fairshot.results.schema import read_result
from fairshot.results.study_rows import CoverageRow
from tests.paths import RESULTS

pytestmark = pytest.mark.results
ROWS = [row for row in read_result(RESULTS / "probe_coverage.json").rows if isinstance(row, CoverageRow)]


def test_the_settings_are_as_many_and_as_different_as_promised() -> None:
    assert len({(row.part, row.task, row.learner, row.episodes) for row in ROWS}) >= 12
    assert {row.population for row in ROWS} == {"labels", "test", "images", "classes"}
    assert all(row.repetitions == 1000 and row.null < 0.0015 for row in ROWS)


def test_intervals_hold_in_all_settings_but_the_one_that_the_page_names() -> None:
    outside = [row for row in ROWS if not 0.93 <= row.value <= 0.98]
    assert [(row.part, row.task, row.population) for row in outside] == [
        ("simulated, 100 classes of 50", "1-shot, 10 test images", "classes")
    ]
    assert outside[0].value == pytest.approx(0.926)


def test_three_seeds_promise_what_they_do_not_keep() -> None:
    assert all(row.usual < 0.85 for row in ROWS if row.population in ("labels", "images"))
    assert all(row.usual < 0.75 for row in ROWS if row.population == "classes")
