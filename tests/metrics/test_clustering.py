"""Metrics of clusterings against scikit-learn and by hand."""

from itertools import permutations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

from fairshot.metrics.ari import Ari
from fairshot.metrics.clustering import Clustering as ClusteringAccuracy
from fairshot.metrics.metric import Clustering, Judged, Metric
from fairshot.metrics.nmi import Nmi
from fairshot.runtime.assignment import count_pairs


def judged(clusters: np.ndarray, labels: np.ndarray, sizes: tuple[int, int]) -> Judged:
    count, way = np.full(len(labels), sizes[0]), np.full(len(labels), sizes[1])
    clustering = Clustering(count_pairs(clusters, labels, sizes), count, way)
    empty = torch.zeros(len(labels), 1, sizes[1])
    return Judged(empty, torch.zeros(len(labels), 1, dtype=torch.int64), torch.from_numpy(way), clustering)


@settings(deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 4), st.integers(2, 4))
def test_they_are_those_of_scikit_learn_and_of_trying_all_names(seed: int, clusters: int, classes: int) -> None:
    rng = np.random.default_rng(seed)
    found, labels = rng.integers(0, clusters, (3, 9)), rng.integers(0, classes, (3, 9))
    answer = judged(found, labels, (clusters, classes))
    for own, x, y in zip(Nmi().score(answer), found, labels, strict=True):
        assert abs(own - normalized_mutual_info_score(y, x)) < 1e-9
    for own, x, y in zip(Ari().score(answer), found, labels, strict=True):
        assert abs(own - adjusted_rand_score(y, x)) < 1e-9
    names = [order[:clusters] for order in permutations(range(max(clusters, classes)))]
    for own, x, y in zip(ClusteringAccuracy().score(answer), found, labels, strict=True):
        assert abs(own - max((np.array(order)[x] == y).mean() for order in names)) < 1e-9


@pytest.mark.parametrize("metric", [ClusteringAccuracy(), Nmi(), Ari()])
def test_perfect_clusters_get_one_whatever_their_numbers(metric: Metric) -> None:
    labels = np.array([[0, 0, 1, 1, 2, 2]])
    assert metric.score(judged((labels + 1) % 3, labels, (3, 3))).tolist() == [1.0]


def test_one_cluster_for_all() -> None:
    labels = np.array([[0, 0, 1, 1]])
    answer = judged(np.zeros_like(labels), labels, (1, 2))
    assert ClusteringAccuracy().score(answer).tolist() == [0.5]
    assert Nmi().score(answer).tolist() == [0.0]
    assert Ari().score(answer).tolist() == [0.0]
