"""CSCC in episodes of unequal classes agrees with a plain loop over episodes, clusters and queries."""

import itertools

import numpy as np
import torch

from fairshot.evaluation.evaluate import evaluate
from fairshot.learners.classifiers.prototypes import Prototypes
from fairshot.learners.clusterers.centroid import Centroid
from fairshot.learners.features import Features
from fairshot.sources.array import from_arrays
from fairshot.tasks.meta_dataset import MetaDataset

TASK = MetaDataset(most_way=5, most_support=40, most_queries=4)


def _source():
    generator = np.random.default_rng(0)
    labels = np.repeat(np.arange(7), [12, 30, 20, 16, 40, 25, 9])
    return from_arrays((generator.normal(size=(7, 6))[labels] * 1.2 + generator.normal(size=(len(labels), 6))), labels)


def _plain_sinkhorn(points: np.ndarray, shares: np.ndarray, centroids: np.ndarray, gamma: float) -> np.ndarray:
    """Plan with uniform points and given clusters, after many rounds of plain scaling."""
    kernel = np.exp(-((points[:, None] - centroids) ** 2).sum(2) / gamma)
    left, right = np.ones(len(points)), np.ones(len(centroids))
    for _ in range(2000):
        left = (1 / len(points)) / (kernel @ right)
        right = shares / (kernel.T @ left)
    return left[:, None] * kernel * right


def test_the_ratio_is_that_of_a_plain_reference() -> None:
    source, clusterer = _source(), Centroid(predict="nearest", sizes="known", gamma=2.0)
    found = evaluate(source, {"centroid": clusterer, "prototypes": Prototypes()}, TASK, episodes=30)
    ratio = found.consistency("centroid", "prototypes")[0].number
    features, episodes = Features(source, clusterer), TASK.sample(source, range(30), 0)
    features.require(episodes)
    batch = features.batch(episodes)
    above, below = [], []
    for number in range(30):
        support, labels, query = (part.numpy() for part in batch.episode(number))
        truth = episodes.query_labels[number][episodes.query_labels[number] >= 0]
        way = int(batch.way[number])
        means = np.stack([support[labels == label].mean(0) for label in range(way)])
        below.append((_nearest(query, means) == truth).mean())
        one = batch.some(slice(number, number + 1), slice(None))
        with torch.inference_mode():
            clusters = clusterer.cluster(one.unlabelled, one.sizes)
        assigned = clusters.support[0, : len(support), :way].argmax(1).numpy()
        named = max(itertools.permutations(range(way)), key=lambda names: (np.take(names, assigned) == labels).sum())
        answers = clusters.query[0, : len(query), :way].argmax(1).numpy()
        above.append((np.take(named, answers) == truth).mean())
    assert abs(ratio - np.mean(above) / np.mean(below)) < 0.02  # equally good names of clusters may differ


def test_clusters_have_the_sizes_of_the_support() -> None:
    """The centroids are means under a plan whose clusters weigh as the classes of the support do."""
    source = _source()
    clusterer = Centroid(predict="nearest", sizes="known", gamma=2.0, inner=30, noise=0.0, iterations=60)
    features, episodes = Features(source, clusterer), TASK.sample(source, range(2), 0)
    features.require(episodes)
    batch = features.batch(episodes)
    for number in range(2):
        support, _, query = (part.double().numpy() for part in batch.episode(number))
        way, sizes = int(batch.way[number]), batch.sizes[number].numpy()
        one = batch.some(slice(number, number + 1), slice(None))
        cloud = clusterer._known(one.unlabelled, one.unlabelled.support_labels >= 0, one.sizes)
        centroids = clusterer.centroids(cloud)[0, :way].double().numpy()
        plan = _plain_sinkhorn(support, sizes[:way] / sizes.sum(), centroids, 2.0)
        means = (plan.T @ support) / plan.sum(0)[:, None]
        np.testing.assert_allclose(means, centroids, atol=1e-2)
        clusters = clusterer.cluster(one.unlabelled, one.sizes)
        np.testing.assert_array_equal(
            clusters.query[0, : len(query), :way].argmax(1).numpy(), _nearest(query, centroids)
        )


def test_queries_are_not_shared_out_by_the_sizes_of_the_support() -> None:
    source = _source()
    features, episodes = Features(source, Prototypes()), TASK.sample(source, range(10), 0)
    features.require(episodes)
    batch = features.batch(episodes)
    clusterer = Centroid(predict="sinkhorn", sizes="known", gamma=0.5, predict_iterations=300)
    clusters = clusterer.cluster(batch.unlabelled, batch.sizes)
    for number in range(10):
        asked, way = batch.query_mask[number], int(batch.way[number])
        shares = clusters.query[number][asked][:, :way].exp()
        shares = shares / shares.sum(1, keepdim=True)
        torch.testing.assert_close(shares.mean(0), torch.full((way,), 1 / way, dtype=shares.dtype), atol=0.02, rtol=0)


def _nearest(points: np.ndarray, centroids: np.ndarray) -> np.ndarray:
    return ((points[:, None] - centroids) ** 2).sum(2).argmin(1)
