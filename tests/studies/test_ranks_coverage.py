"""Simulated leaderboards: drawn as their settings say, and summed up."""

import numpy as np

import fairshot as fs
from fairshot.runtime.seeds import Stream
from fairshot.studies.ranks_coverage import STUDY, RanksCoverage, Setting


def test_a_setting_draws_what_it_says() -> None:
    groups = Setting("x", (0.0, 1.0), 50, "groups", 4).draw(Stream(0))
    assert groups.shape == (2, 200)
    assert set(np.unique(groups)) == {0.0, 1.0}
    assert groups[1].mean() > groups[0].mean()
    assert Setting("x", (0.0, 1.0), 7, "data sets").draw(Stream(0)).shape == (2, 7)


def test_equal_methods_may_have_each_others_places() -> None:
    setting = Setting("x", (1.0, 1.0, 0.0), 5, "items")
    claims = np.zeros((3, 3), dtype=bool)
    assert setting.holds(claims)
    claims[0, 2] = True
    assert setting.holds(claims)
    claims[0, 1] = True
    assert not setting.holds(claims)


def test_a_small_run_has_a_row_and_a_line_for_each_setting() -> None:
    small = RanksCoverage(title="t", paper="p", settings=STUDY.settings[4:6], repetitions=5)
    found = fs.run(small)
    assert [row.task for row in found] == [setting.label for setting in STUDY.settings[4:6]]
    assert len(found.tables()[0].rows) == 2
    assert all(row.width >= 1 for row in found)
