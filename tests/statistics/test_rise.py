"""A loss that only wavers must not seem to rise, and one that rises must."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairshot.statistics.rise import rise


def test_a_rise_by_hand() -> None:
    found = rise(np.array([9.0, 3, 2, 1, 1, 2, 3, 4]))
    assert (found.lowest, found.low, found.end) == (3, 1, 4)
    assert found.gained.value == pytest.approx(3)  # the second half: 1, 2, 3, 4
    assert found.gained.interval == pytest.approx((3, 3))
    assert found.sure


def test_a_rise_stands_out_from_what_snapshots_differ_by() -> None:
    rng = np.random.default_rng(0)
    course = np.concatenate([np.linspace(3, 1, 12), np.linspace(1, 1.4, 12)])
    found = [rise(course + 0.06 * rng.normal(size=24)) for _ in range(200)]
    assert np.mean([one.sure for one in found]) > 0.95
    assert np.mean([one.gained.value for one in found]) == pytest.approx(0.4, abs=0.02)


def test_snapshots_that_differ_by_chance_are_no_rise() -> None:
    rng = np.random.default_rng(1)
    found = [rise(1 + 0.06 * rng.normal(size=24)) for _ in range(2000)]
    assert np.mean([one.sure for one in found]) == pytest.approx(0.025, abs=0.012)
    assert all(one.end > one.low for one in found if one.lowest < 23), "the lowest is lower by luck"


def test_few_snapshots_tell_no_trend() -> None:
    found = rise(np.array([2.0, 1, 1.5, 1.6]))
    assert found.gained.value == pytest.approx(0.1)
    assert found.gained.interval is None
    assert found.gained.reason == "2 late snapshots tell no trend: take 4 or more"
    assert not found.sure


@given(st.integers(8, 30), st.floats(0.01, 5))
def test_what_only_falls_has_not_risen(snapshots: int, fall: float) -> None:
    found = rise(np.linspace(fall, 0, snapshots))
    assert found.lowest == snapshots - 1
    assert found.gained.value < 0
    assert not found.sure
