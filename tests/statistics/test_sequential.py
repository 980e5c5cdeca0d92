"""Stopping when an interval is narrow enough: it must still hold."""

import numpy as np
import pytest

from fairshot.statistics.intervals.episodes import over_episodes
from fairshot.statistics.sequential import FIRST_LOOK, at_any_time, halfwidth, inflation, next_look


def paths(repetitions: int, length: int, seed: int = 0) -> np.ndarray:
    """Scores of ten queries whose chance of being right differs from episode to episode."""
    rng = np.random.default_rng(seed)
    return rng.binomial(10, rng.beta(3, 2, size=(repetitions, length))) / 10


def test_the_half_width_is_the_published_formula() -> None:
    scores = paths(1, 500)[0]
    rho = np.sqrt((-2 * np.log(0.05) + np.log(-2 * np.log(0.05)) + 1) / 1000)
    t = 500
    expected = scores.std(ddof=1) * np.sqrt(
        2 * (t * rho**2 + 1) / (t**2 * rho**2) * np.log(np.sqrt(t * rho**2 + 1) / 0.05)
    )
    assert halfwidth(scores) == pytest.approx(expected)
    assert inflation(scores) == pytest.approx((expected / (over_episodes(scores).high - scores.mean())) ** 2)


def test_it_holds_at_every_number_of_episodes_at_once_and_the_usual_interval_does_not() -> None:
    missed = {"sequence": 0, "usual": 0}
    looks = range(FIRST_LOOK, 4000, 32)
    for scores in paths(200, 4000):
        away = [abs(scores[:count].mean() - 0.6) for count in looks]
        missed["sequence"] += any(a > halfwidth(scores[:c]) for a, c in zip(away, looks, strict=True))
        usual = [1.96 * scores[:count].std(ddof=1) / np.sqrt(count) for count in looks]
        missed["usual"] += any(a > u for a, u in zip(away, usual, strict=True))
    assert missed["sequence"] <= 0.05 * 200
    assert missed["usual"] > 0.15 * 200


def test_stopping_as_soon_as_it_is_narrow_enough_keeps_the_promise() -> None:
    covered = 0
    for scores in paths(200, 6000, seed=1):
        count = FIRST_LOOK
        while halfwidth(scores[:count]) > 0.02 and count < 6000:
            count = next_look([scores[:count]], 0.02, 6000)
        estimate = at_any_time(scores[:count])
        covered += estimate.low <= 0.6 <= estimate.high
        assert estimate.high - estimate.low <= 0.04 + 1e-12
    assert covered >= 0.95 * 200


def test_the_next_look_is_neither_too_near_nor_too_far_nor_beyond_the_most() -> None:
    scores = paths(1, 200)[0]
    assert next_look([scores], 1e-6, 10_000) == 832  # four times, in steps of 64
    assert next_look([scores], 1.0, 10_000) == 256
    assert next_look([scores], 1e-6, 300) == 300
