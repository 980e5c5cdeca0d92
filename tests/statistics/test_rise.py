"""A loss that only wavers must not seem to rise, and one that rises must."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairshot.statistics.rise import rise


def test_a_rise_is_found_where_it_begins() -> None:
    rng = np.random.default_rng(0)
    course = np.array([3.0, 2.0, 1.0, 1.2, 1.5])
    found = rise(course[:, None] + 0.1 * rng.normal(size=(5, 200)))
    assert found.lowest == 2
    assert found.over.value == pytest.approx(0.5, abs=0.05)
    assert found.over.value == pytest.approx(found.end - found.low)
    assert found.sure


def test_noise_alone_is_no_rise() -> None:
    rng = np.random.default_rng(1)
    found = [rise(rng.normal(size=(14, 60))) for _ in range(400)]
    assert np.mean([one.sure for one in found]) < 0.05
    assert all(one.end >= one.low for one in found), "on the same classes the end is never lower"
    assert np.mean([one.over.value for one in found]) == pytest.approx(0, abs=0.02)


@given(st.integers(2, 9), st.integers(2, 30))
def test_what_only_falls_has_not_risen(snapshots: int, classes: int) -> None:
    found = rise(np.linspace(2, 1, snapshots)[:, None] + np.linspace(0, 1, classes)[None])
    assert (found.lowest, found.low) == (snapshots - 1, found.end)
    assert found.over.value == 0
    assert found.over.interval is None
    assert not found.sure
