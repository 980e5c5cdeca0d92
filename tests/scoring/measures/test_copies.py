"""Copies are found where they were moved."""

import numpy as np
import pytest

from fairshot.scoring.measures.copies import copied, likeness


def strokes(seed: int, count: int = 4) -> np.ndarray:
    return np.random.default_rng(seed).random((count, 14, 14)) < 0.2


def test_copies_are_found_where_they_were_moved() -> None:
    blank = np.zeros((4, 20, 20), dtype=bool)
    exemplars, moved = blank.copy(), blank.copy()
    exemplars[:, 3:17, 3:17] = strokes(0)
    moved[:, 5:19, 1:15] = strokes(0)
    assert likeness(exemplars, exemplars).tolist() == [1] * 4
    assert likeness(moved, exemplars).tolist() == [1] * 4
    assert (likeness(np.roll(moved, 1, 1), exemplars) < 0.6).all(), "three pixels are too far"
    assert likeness(blank, blank).tolist() == [1] * 4
    assert likeness(blank, exemplars).tolist() == [0] * 4
    assert not copied(np.roll(exemplars, 1, axis=0), exemplars).any()


def test_likeness_is_ink_in_both_over_ink_in_either() -> None:
    one, other = np.zeros((1, 30, 30), dtype=bool), np.zeros((1, 30, 30), dtype=bool)
    one[0, 10, 5:25] = True
    other[0, 10, 5:24] = True
    assert likeness(other, one)[0] == pytest.approx(19 / 20)
    assert copied(other, one)[0]
    other[0, 25, 10:12] = True
    assert likeness(other, one)[0] == pytest.approx(19 / 22)
    assert not copied(other, one)[0]
    assert copied(other, one, alike=0.8)[0]
