"""Places over sources: hand-made ranks, the published critical difference, and intervals that hold what they should."""

import numpy as np
import pytest

from fairshot.statistics.source_ranks import places, rank_over_sources


def test_places_by_hand() -> None:
    assert places(np.array([[0.5, 0.7, 0.7, 0.1]])).tolist() == [[3.0, 1.5, 1.5, 4.0]]


def test_the_critical_difference_is_that_of_demsar() -> None:
    """Demsar 2006, section 3.2.2: four classifiers on fourteen data sets, CD = 2.569 * sqrt(4 * 5 / (6 * 14)) = 1.25."""
    values = [np.random.default_rng(number).uniform(size=(4, 50)) for number in range(14)]
    assert rank_over_sources(values).critical == pytest.approx(2.569 * np.sqrt(20 / 84), abs=2e-3)


def test_a_clear_order_is_certain_and_equals_are_not() -> None:
    noise = np.random.default_rng(0).normal(size=(6, 3, 200))
    clear = rank_over_sources([table * 0.1 + np.array([[2.0], [1.0], [0.0]]) for table in noise])
    assert clear.means.tolist() == clear.low.tolist() == clear.high.tolist() == [1, 2, 3]
    assert clear.p_value < 0.01
    equal = rank_over_sources(list(noise))
    assert ((equal.low < 2) & (equal.high > 2)).all()
    assert equal.p_value > 0.05


def test_hard_episodes_that_all_share_do_not_widen_intervals() -> None:
    generator = np.random.default_rng(1)
    shared = generator.normal(size=(5, 1, 100)) * 10
    values = shared + np.array([[0.3], [0.0]]) + 0.1 * generator.normal(size=(5, 2, 100))
    ranks = rank_over_sources(list(values))
    assert ranks.high[0] == ranks.means[0] == 1
