"""k-means against scikit-learn's."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from sklearn.cluster import KMeans, kmeans_plusplus

from fairshot.evaluation.evaluate import evaluate
from fairshot.learners.clusterers.kmeans import Kmeans, inertia
from fairshot.learners.clusterers.sinkhorn import Sinkhorn
from fairshot.learners.learner import Clusterer
from fairshot.learners.solvers.centroids import Cloud
from fairshot.metrics.clustering import Clustering
from fairshot.tasks.uniform import Uniform
from tests.conftest import make_vectors


def cloud(seed: int, *, episodes: int = 6, points: int = 40, clusters: int = 5, width: int = 3) -> Cloud:
    rng = torch.Generator().manual_seed(seed)
    table = torch.randn(episodes, points, width, generator=rng, dtype=torch.float64)
    real = torch.ones(episodes, points, dtype=torch.bool)
    count = torch.full((episodes,), clusters)
    weights = torch.full((episodes, clusters), 1 / clusters, dtype=torch.float64)
    return Cloud(table, real, count, weights, torch.arange(episodes))


def test_from_the_same_beginning_the_inertia_is_that_of_scikit_learn() -> None:
    world = cloud(0)
    learner = Kmeans(iterations=100, empty="farthest")
    begun = world.points[:, :5]
    own = inertia(world, learner.lloyd(world, begun))
    for found, points, start in zip(own.tolist(), world.points.numpy(), begun.numpy(), strict=True):
        reference = KMeans(5, init=start, n_init=1, max_iter=100, tol=0, algorithm="lloyd").fit(points)
        assert found == pytest.approx(reference.inertia_, rel=1e-5)


@pytest.mark.parametrize("trials", [1, 3])
def test_beginnings_are_as_good_as_those_of_scikit_learn(trials: int) -> None:
    world = cloud(1, episodes=1, points=60, clusters=8)
    own = [float(inertia(world, Kmeans(trials=trials, seed=s).begin(world))) for s in range(300)]
    points = world.points[0].numpy()
    theirs = []
    for seed in range(300):
        centres, _ = kmeans_plusplus(points, 8, random_state=seed, n_local_trials=trials)
        theirs.append(((points[:, None] - centres) ** 2).sum(2).min(1).sum())
    noise = np.hypot(np.std(own), np.std(theirs)) / np.sqrt(300)
    assert abs(np.mean(own) - np.mean(theirs)) < 4 * noise


def test_more_beginnings_are_never_worse_and_the_best_is_that_of_scikit_learn() -> None:
    world = cloud(2)
    few, many = (inertia(world, Kmeans(iterations=50, restarts=n).centroids(world)) for n in (1, 30))
    assert (many <= few + 1e-9).all()
    for found, points in zip(many.tolist(), world.points.numpy(), strict=True):
        reference = KMeans(5, n_init=30, max_iter=100, tol=0, random_state=0).fit(points)
        assert found == pytest.approx(reference.inertia_, rel=0.02)


def test_an_empty_cluster_goes_to_the_origin_or_to_the_farthest_point() -> None:
    points = torch.tensor([[[1.0, 0], [1.1, 0], [3.0, 0]]])
    world = Cloud(points, torch.ones(1, 3, dtype=torch.bool), torch.tensor([2]), torch.full((1, 2), 0.5))
    begun = torch.tensor([[[1.5, 0], [100.0, 0]]])
    released = Kmeans(iterations=1).lloyd(world, begun)
    torch.testing.assert_close(released, torch.tensor([[[1.7, 0], [0.0, 0]]]), atol=1e-5, rtol=0)
    relocated = Kmeans(iterations=1, empty="farthest").lloyd(world, begun)
    torch.testing.assert_close(relocated, torch.tensor([[[1.05, 0], [3.0, 0]]]), atol=1e-5, rtol=0)


@pytest.mark.parametrize(("learner", "spread"), [(Kmeans(), 0.3), (Sinkhorn(), 1.0)])
def test_another_seed_changes_the_mean_by_no_more_than_other_episodes_would(learner: Clusterer, spread: float) -> None:
    """With the same numbers in every episode, the means of eight seeds of k-means were 2.6 points apart (one sd)."""
    source, tasks = make_vectors(classes=40, images=12, spread=spread), [Uniform(way=5, shot=5, query=1)]
    learners = {f"seed {seed}": replace(learner, seed=seed) for seed in range(8)}
    rows = evaluate(source, learners, tasks, episodes=500, metric=Clustering()).rows
    low, high = rows[0].intervals["episodes"]
    error = (high - low) / (2 * 1.96)
    assert np.std([row.value for row in rows], ddof=1) < 2 * error  # by chance once in 5,000 times at most
    assert len({row.value for row in rows}) > 1
