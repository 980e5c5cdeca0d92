"""Variances over clusters of items: scipy's paired test, plain loops, regression with clustered errors, and levels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from fairshot.statistics.clusters import cluster_covariance, cluster_degrees, over_both, over_clusters
from fairshot.statistics.estimate import Spread


def spread_of(values: np.ndarray, clusters: np.ndarray) -> Spread:
    spread = over_clusters(values, clusters, "groups")
    assert isinstance(spread, Spread)
    return spread


@given(st.integers(0, 2**20), st.integers(3, 60))
def test_items_alone_are_the_paired_test_of_scipy(seed: int, count: int) -> None:
    rng = np.random.default_rng(seed)
    one, other = rng.integers(0, 2, count) + rng.normal(size=count), rng.normal(size=count)
    spread, known = spread_of(one - other, np.arange(count)), stats.ttest_rel(one, other)
    assert spread.p_value == pytest.approx(known.pvalue)
    assert spread.estimate(difference=True).interval == pytest.approx(tuple(known.confidence_interval()))


def clustered_regression(values: np.ndarray, clusters: np.ndarray) -> float:
    """The variance of the intercept with clustered errors, bias-reduced (CR2), by matrices."""
    design = np.ones((len(values), 1))
    bread = np.linalg.inv(design.T @ design)
    residuals = values - values.mean()
    meat = np.zeros((1, 1))
    for number in np.unique(clusters):
        own = clusters == number
        inside = np.eye(own.sum()) - design[own] @ bread @ design[own].T
        roots, vectors = np.linalg.eigh(inside)
        adjusted = vectors @ np.diag(np.maximum(roots, 1e-15) ** -0.5) @ vectors.T @ residuals[own]
        score = design[own].T @ adjusted
        meat += np.outer(score, score)
    return float((bread @ meat @ bread)[0, 0])


@given(st.integers(0, 2**20), st.integers(2, 12))
def test_clusters_are_a_regression_with_clustered_errors(seed: int, count: int) -> None:
    rng = np.random.default_rng(seed)
    clusters = np.repeat(np.arange(count), rng.integers(1, 7, count))
    values = rng.normal(size=len(clusters)) + rng.normal(size=count)[clusters]
    assert spread_of(values, clusters).variance == pytest.approx(clustered_regression(values, clusters))


def test_clusters_of_one_size_are_the_t_test_of_their_means() -> None:
    rng = np.random.default_rng(1)
    clusters = np.repeat(np.arange(12), 5)
    values = rng.normal(size=60) + rng.normal(size=12)[clusters]
    known = stats.ttest_1samp(values.reshape(12, 5).mean(axis=1), 0.0)
    assert spread_of(values, clusters).p_value == pytest.approx(known.pvalue)


def test_unequal_clusters_have_fewer_degrees_of_freedom() -> None:
    assert cluster_degrees(np.repeat(np.arange(10), 4)) == 9
    assert cluster_degrees(np.repeat(np.arange(10), [40, *[4] * 9])) < 5


def test_the_covariance_holds_the_variance_of_every_difference() -> None:
    rng = np.random.default_rng(2)
    values, clusters = rng.normal(size=(3, 40)), np.repeat(np.arange(10), 4)
    covariance = cluster_covariance(values, clusters)
    expected = spread_of(values[0] - values[2], clusters).variance
    assert covariance[0, 0] + covariance[2, 2] - 2 * covariance[0, 2] == pytest.approx(expected)


def test_two_kinds_that_cross_count_what_they_share_once() -> None:
    rng = np.random.default_rng(3)
    rows, columns = np.repeat(np.arange(15), 15), np.tile(np.arange(15), 15)
    values = rng.normal(size=15)[rows] + rng.normal(size=15)[columns] + 0.1 * rng.normal(size=225)
    both = over_both(values, rows, columns, "classes")
    assert isinstance(both, Spread)
    table = values.reshape(15, 15)
    expected = table.mean(1).var(ddof=1) / 15 + table.mean(0).var(ddof=1) / 15 - values.var(ddof=1) / 225
    assert both.variance == pytest.approx(expected)


@pytest.mark.parametrize(
    ("groups", "sizes", "shared"),
    [(200, (1, 1), 0.0), (30, (1, 8), 1.0), (12, (5, 5), 0.5), (10, (1, 30), 1.0)],
)
def test_false_alarms_are_at_their_level(groups: int, sizes: tuple[int, int], shared: float) -> None:
    rng, alarms, repetitions = np.random.default_rng(4), 0, 2000
    for _ in range(repetitions):
        clusters = np.repeat(np.arange(groups), rng.integers(sizes[0], sizes[1] + 1, groups))
        right = (rng.normal(size=(2, groups)) * shared)[:, clusters] + rng.normal(size=(2, len(clusters))) > 0
        spread = over_clusters(right[0] * 1.0 - right[1], clusters, "groups")
        alarms += not isinstance(spread, str) and spread.p_value < 0.05
    assert 0.035 <= alarms / repetitions <= 0.062


def test_what_cannot_be_said_is_refused() -> None:
    assert over_clusters(np.ones(4), np.zeros(4, dtype=int), "groups") == "one of the groups tells nothing about others"
    assert "is the same everywhere" in str(over_clusters(np.ones(4), np.arange(4), "items"))
    assert spread_of(np.zeros(4), np.arange(4)).p_value == 1.0
