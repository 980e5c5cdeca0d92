"""Ranks that hold: places by hand, groups by hand, and all true places inside their intervals in 95% of leaderboards."""

import numpy as np
import pytest
from scipy import stats

from fairshot.statistics.clusters import cluster_covariance, cluster_degrees
from fairshot.statistics.ranks import Gaps, alike_groups, certain_claims, first_chances, rank_bounds


def gaps(means: list[float], deviation: float) -> Gaps:
    values = np.subtract.outer(means, means)
    return Gaps(values, 2 * stats.norm.sf(np.abs(values) / deviation), deviation * (1 - np.eye(len(means))), 1e6)


def test_places_count_who_is_surely_better() -> None:
    claims = certain_claims(gaps([0.9, 0.89, 0.5], 0.01))
    low, high = rank_bounds(claims)
    assert (low.tolist(), high.tolist()) == ([1, 1, 3], [2, 2, 3])


def test_claims_are_corrected_for_many_pairs() -> None:
    two = certain_claims(gaps([0.52, 0.5], 0.01))
    assert two[0, 1]
    assert not certain_claims(gaps([0.52, *[0.5] * 9], 0.01)).any(), "2 deviations are no claim among 45 pairs"


def test_groups_are_the_largest_sets_that_cannot_be_distinguished() -> None:
    claims = np.zeros((4, 4), dtype=bool)
    claims[0, 2] = claims[0, 3] = claims[1, 3] = True
    assert alike_groups(claims, [0, 1, 2, 3]) == [[0, 1], [1, 2], [2, 3]]
    assert alike_groups(np.zeros((3, 3), dtype=bool), [2, 0, 1]) == [[2, 0, 1]]


def test_the_chance_to_be_first_is_that_of_normal_numbers() -> None:
    chances = first_chances(gaps([0.51, 0.5], 0.01))
    assert chances is not None
    assert chances[0] == pytest.approx(stats.norm.cdf(1.0), abs=0.015)
    alike = first_chances(gaps([0.5] * 4, 0.01))
    assert alike == pytest.approx([0.25] * 4, abs=0.02)
    unknown = gaps([0.5, 0.4], 0.01)
    assert first_chances(Gaps(unknown.values, unknown.p_values, np.full((2, 2), np.nan), 5.0)) is None


def leaderboard(rng: np.random.Generator, truth: np.ndarray, groups: int) -> Gaps:
    """Binary answers to questions in groups of five that are hard or easy together, for each method in its own way."""
    hard = 0.6 * rng.normal(size=groups).repeat(5)
    own = 0.4 * rng.normal(size=(len(truth), groups)).repeat(5, axis=1)
    right = (truth[:, None] + hard + own + rng.normal(size=own.shape) > 0).astype(np.float64)
    clusters = np.arange(groups).repeat(5)
    covariance, means = cluster_covariance(right, clusters), right.mean(axis=1)
    variances = np.add.outer(np.diag(covariance), np.diag(covariance)) - 2 * covariance
    deviations, degrees = np.sqrt(np.maximum(variances, 0)), cluster_degrees(clusters)
    values = np.subtract.outer(means, means)
    p_values = 2 * stats.t.sf(np.abs(values) / np.maximum(deviations, 1e-12), degrees)
    return Gaps(values, p_values, deviations, degrees)


@pytest.mark.parametrize(
    ("truth", "groups"),
    [([0.5] * 6, 20), ([0.9, 0.6, 0.6, 0.6, 0.3, 0.0], 30), ([0.8, 0.75, 0.7, 0.2, 0.15, 0.1], 60)],
)
def test_all_true_places_are_inside_in_95_percent_of_leaderboards(truth: list[float], groups: int) -> None:
    rng, held, repetitions = np.random.default_rng(1), 0, 600
    means = np.array(truth)
    # Equal methods share their places: any of these is right.
    best, worst = 1 + (means[:, None] < means).sum(axis=1), (means[:, None] <= means).sum(axis=1)
    for _ in range(repetitions):
        low, high = rank_bounds(certain_claims(leaderboard(rng, means, groups)))
        held += bool((low <= best).all() and (high >= worst).all())
    assert held / repetitions >= 0.94
