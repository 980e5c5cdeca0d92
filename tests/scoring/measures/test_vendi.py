"""The Vendi score by hand, and against the package of its authors."""

import math

import numpy as np
import pytest

from fairshot.scoring.measures.vendi import vendi_score


def test_vendi_counts_what_differs() -> None:
    assert vendi_score(np.eye(7)) == pytest.approx(7)
    assert vendi_score(np.eye(3)[[0, 0, 1, 1, 2, 2]]) == pytest.approx(3)
    # Two of one kind and one of another: entropy of 2/3 and 1/3.
    entropy = -(2 / 3 * math.log(2 / 3) + 1 / 3 * math.log(1 / 3))
    assert vendi_score(np.eye(2)[[0, 0, 1]]) == pytest.approx(math.exp(entropy))
    assert vendi_score(5 * np.eye(4)) == pytest.approx(4)


def test_the_number_of_the_package_vendi_score() -> None:
    assert vendi_score(np.random.default_rng(7).normal(size=(60, 8))) == pytest.approx(7.764017483444558)


def test_copies_count_once() -> None:
    assert vendi_score(np.repeat(np.random.default_rng(0).normal(size=(1, 256)), 20, axis=0)) == pytest.approx(1)
