"""The tails of the scores: by hand, against plain loops, and as properties."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairshot.statistics.tails import mean_of_worst, tails_of

SCORES = st.lists(st.integers(0, 75), min_size=1, max_size=60).map(lambda hits: np.array(hits) / 75)


def test_the_worst_tenth_by_hand() -> None:
    twenty = np.array([*np.linspace(0.5, 0.9, 18), 0.2, 0.1])
    assert mean_of_worst(twenty, 0.1) == pytest.approx(0.15)
    assert mean_of_worst(twenty, 0.05) == pytest.approx(0.1)


def test_a_share_that_is_no_whole_number_counts_the_last_episode_in_part() -> None:
    fifteen = np.array([0.9] * 13 + [0.4, 0.1])  # the worst tenth are 1.5 episodes: 0.1 whole and 0.4 by half
    assert mean_of_worst(fifteen, 0.1) == pytest.approx((0.1 + 0.5 * 0.4) / 1.5)
    assert mean_of_worst(np.array([0.3, 0.7, 0.8]), 0.1) == pytest.approx(0.3)  # a part of one episode is that episode


@given(SCORES, st.floats(0.01, 1))
def test_the_worst_share_equals_its_integral_over_quantiles(scores: np.ndarray, share: float) -> None:
    """Rockafellar and Uryasev: the largest value over t of t - E[max(t - score, 0)] / share, reached at a score."""
    expected = max(t - np.maximum(t - scores, 0).mean() / share for t in scores)
    assert mean_of_worst(scores, share) == pytest.approx(expected)


@given(SCORES)
def test_tails_are_ordered(scores: np.ndarray) -> None:
    tails = tails_of(scores)
    assert scores.min() - 1e-12 <= tails.worst_twentieth <= tails.worst_tenth + 1e-12
    assert tails.worst_tenth <= scores.mean() + 1e-12
    assert list(tails.quantiles.values()) == sorted(tails.quantiles.values())
    shares = list(tails.profile.values())
    assert shares == sorted(shares, reverse=True)
    assert shares[0] == 1


def test_the_profile_counts_episodes_that_just_reach_a_score() -> None:
    profile = tails_of(np.array([45, 44, 75, 0]) / 75).profile  # 45 of 75 are 0.6
    assert (profile[0.6], profile[0.65], profile[1.0], profile[0.55]) == (0.5, 0.25, 0.25, 0.75)
