"""The best on one half, judged on the other: by hand, and classes that are cut into halves."""

import numpy as np
import pytest

import fairshot as fs
from fairshot.studies.kinds.winner_inflation import halves_of, judged_on_other_half


def test_the_best_on_one_half_is_judged_on_the_other() -> None:
    means = np.array([[[0.5, 0.4]], [[0.3, 0.6]]])  # two snapshots, one division
    assert judged_on_other_half(means) == pytest.approx((0.4 + 0.3) / 2)


def test_halves_share_no_class() -> None:
    y = np.repeat(np.arange(7), 3)
    part = fs.sources.from_arrays(np.random.default_rng(0).normal(size=(21, 2)), y)
    first, second = halves_of(part, 0, 0)
    assert sorted([*first.classes, *second.classes]) == list(range(7))
    assert not set(first.classes) & set(second.classes)
    assert set(halves_of(part, 0, 1)[0].classes) != set(first.classes)
