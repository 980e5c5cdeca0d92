"""The usual interval, against scipy and against its own promise."""

import numpy as np
from scipy import stats

from fairshot.statistics.intervals.episodes import over_episodes


def test_it_is_scipys_t_interval() -> None:
    scores = np.random.default_rng(0).random(50)
    estimate = over_episodes(scores, level=0.9)
    low, high = stats.t.interval(0.9, 49, loc=scores.mean(), scale=stats.sem(scores))
    np.testing.assert_allclose([estimate.low, estimate.high, estimate.value], [low, high, scores.mean()])
    assert (estimate.population, estimate.level, estimate.method) == ("episodes", 0.9, "t")


def test_it_covers_the_mean_over_episodes_as_often_as_it_says() -> None:
    rng = np.random.default_rng(1)
    hits = 0
    for _ in range(2000):
        estimate = over_episodes(rng.binomial(15, 0.7, size=20) / 15)
        hits += estimate.low <= 0.7 <= estimate.high
    assert abs(hits / 2000 - 0.95) < 4 * np.sqrt(0.95 * 0.05 / 2000)


def test_one_episode_gives_no_interval() -> None:
    estimate = over_episodes(np.array([0.5]))
    assert (estimate.value, estimate.interval, estimate.reason) == (0.5, None, "one episode gives no interval")
