"""Sinkhorn K-means and Centroid Networks against plain loops, and what they are for."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from scipy.special import logsumexp

from fairshot.learners.clusterers.centroid import Centroid
from fairshot.learners.clusterers.kmeans import Kmeans
from fairshot.learners.clusterers.sinkhorn import Sinkhorn
from fairshot.learners.layers.layer import Tasks
from fairshot.learners.learner import Clusterer, TaskBatch
from fairshot.learners.networks.network import Network
from fairshot.learners.solvers.centroids import Cloud
from fairshot.learners.solvers.sinkhorn_kmeans import Noise
from fairshot.learners.training.plan import Plan
from fairshot.learners.training.trainable import Lesson, Model
from fairshot.runtime.errors import FairshotError


def tasks(sizes: list[int], *, episodes: int = 4, apart: float = 4.0, seed: int = 0, scale: float = 1.0) -> TaskBatch:
    """Classes of these sizes around points that are so far apart, with three queries each."""
    rng = torch.Generator().manual_seed(seed)
    way = len(sizes)
    means = apart * torch.randn(episodes, way, 8, generator=rng)
    labels = torch.cat([torch.full((size,), label) for label, size in enumerate(sizes)])
    asked = torch.arange(way).repeat_interleave(3)
    support, query = (
        scale * (means[:, own] + torch.randn(episodes, len(own), 8, generator=rng)) for own in (labels, asked)
    )
    mask, seeds = torch.ones(episodes, len(asked), dtype=torch.bool), torch.arange(episodes)
    return TaskBatch(
        support=support,
        support_labels=labels.repeat(episodes, 1),
        query=query,
        query_mask=mask,
        way=torch.full((episodes,), way),
        width=way,
        seeds=seeds,
    )


def accuracy(learner: Clusterer, batch: TaskBatch) -> float:
    wanted = torch.arange(batch.width).repeat_interleave(3)
    return float((learner.classify(batch).argmax(2) == wanted).float().mean())


def plain(points: np.ndarray, noise: np.ndarray, weights: np.ndarray, gamma: float) -> np.ndarray:
    """The published rounds, for one episode."""
    points = points - points.mean(0)
    centroids, log_v = 0.01 * noise[0], np.zeros(len(weights))
    for turn in range(20):
        log_kernel = -((points[:, None] - centroids) ** 2).sum(2) / gamma
        for _ in range(4 if turn else 20):
            log_u = -np.log(len(points)) - logsumexp(log_kernel + log_v, axis=1)
            log_v = np.log(weights) - logsumexp(log_kernel + log_u[:, None], axis=0)
        shares = np.exp(log_kernel + log_u[:, None] + log_v)
        centroids = shares.T @ points / shares.sum(0)[:, None] + 0.001 * noise[turn + 1]
    return centroids


@pytest.mark.parametrize("weights", [[0.25, 0.25, 0.25, 0.25], [0.5, 0.2, 0.2, 0.1]])
def test_the_centroids_are_those_of_the_published_rounds(weights: list[float]) -> None:
    learner = Sinkhorn(gamma=1.0, relative=False)
    points = tasks([5, 5, 5, 5], apart=1.0).support.double()
    real, count = torch.ones(4, 20, dtype=torch.bool), torch.full((4,), 4)
    shares = torch.tensor(weights, dtype=torch.float64).expand(4, -1)
    world = Cloud(points, real, count, shares, torch.arange(4))
    found = learner.centroids(world)
    drawn = Noise.of(world, learner.seed, 21)
    noise = torch.stack([drawn.table(turn, torch.float64) for turn in range(21)], 1).numpy()
    for own, cloud, numbers in zip(found, points.numpy(), noise, strict=True):
        np.testing.assert_allclose(
            own.numpy() - cloud.mean(0), plain(cloud, numbers, np.array(weights), 1.0), atol=1e-8
        )


def test_noise_is_normal_and_further_clusters_leave_it_as_it_is() -> None:
    points, real, count = torch.zeros(40, 5, 100), torch.ones(40, 5, dtype=torch.bool), torch.full((40,), 3)
    clouds = {width: Cloud(points, real, count, torch.ones(40, width), torch.arange(40)) for width in (3, 5)}
    few, many = (Noise.of(clouds[width], 0, 4).table(2, torch.float64) for width in (3, 5))
    assert torch.equal(few, many[:, :3])
    assert len(torch.unique(many[:, :, 0])) == 200
    assert abs(float(many.mean())) < 0.04
    assert abs(float(many.std()) - 1) < 0.04
    assert not (Noise.of(clouds[5], 1, 4).table(2, torch.float64) == many).any()
    assert not (Noise.of(clouds[5], 0, 4).table(3, torch.float64) == many).all(2).any()


@pytest.mark.parametrize(
    "learner", [Sinkhorn(), Sinkhorn(tolerance=1e-3), Kmeans(restarts=10), Sinkhorn(predict="sinkhorn")]
)
def test_classes_that_are_far_apart_are_found_at_any_scale(learner: Clusterer) -> None:
    for scale in (0.01, 1.0, 100.0):
        assert accuracy(learner, tasks([5, 5, 5, 5], apart=6.0, scale=scale)) > 0.97


def test_moving_all_vectors_moves_nothing_else() -> None:
    batch = tasks([4, 4, 4], apart=2.0)
    moved = replace(batch, support=batch.support + 30, query=batch.query + 30)
    assert torch.equal(Sinkhorn().classify(batch).argmax(2), Sinkhorn().classify(moved).argmax(2))


def test_sinkhorn_conditionals_share_queries_out_equally() -> None:
    batch = tasks([5, 5, 5, 5], apart=0.7, seed=3)
    learner = Sinkhorn(predict="sinkhorn", predict_iterations=200, gamma=0.01)
    assert learner.transductive
    found = learner.cluster(batch.unlabelled, batch.sizes)
    counts = torch.nn.functional.one_hot(found.assigned, 4).sum(1)
    assert int((counts - 5).abs().max()) <= 1


def test_known_sizes_help_where_classes_are_of_different_sizes() -> None:
    batch = tasks([16, 3, 3, 2], apart=5.0, episodes=200)
    assert batch.sizes[0].tolist() == [16, 3, 3, 2]
    assert accuracy(Sinkhorn(sizes="known"), batch) > accuracy(Sinkhorn(), batch) + 0.1


def test_the_number_of_clusters_is_estimated_without_looking_at_the_classes() -> None:
    batch = tasks([5, 5, 5, 5], apart=8.0, episodes=6)
    found = Sinkhorn(count="estimated").cluster(
        replace(batch.unlabelled, way=torch.full((6,), 9), width=9), batch.sizes
    )
    assert found.count.tolist() == [4] * 6


def test_too_many_and_too_few_clusters_cost_accuracy_and_no_class_is_named_twice() -> None:
    batch = tasks([5, 5, 5, 5], apart=6.0)
    right, more, fewer = (accuracy(Sinkhorn(extra=extra), batch) for extra in (0, 2, -1))
    assert right > 0.97
    assert fewer == pytest.approx(0.75, abs=0.03)
    assert more <= right
    assert torch.isinf(Sinkhorn(extra=-1).classify(batch)).all(1).any(1).all()


def test_nonsense_is_refused() -> None:
    with pytest.raises(FairshotError, match=r"^gamma of a clusterer is 0.0: it must be above 0$"):
        Sinkhorn(gamma=0.0)
    with pytest.raises(FairshotError, match=r"^inner of Sinkhorn K-means is 0: it must be 1 or more$"):
        Sinkhorn(inner=0)
    with pytest.raises(FairshotError, match=r"^restarts of kmeans is 0: it must be at least 1$"):
        Kmeans(restarts=0)


class Flat(Network):
    """Vectors are the pixels."""

    def __init__(self) -> None:
        super().__init__()
        self.shape, self.width = (1, 2), 4

    def forward(self, images: torch.Tensor, tasks: Tasks | None = None) -> torch.Tensor:
        return images.flatten(1)


@pytest.mark.parametrize("conditional", ["softmax", "sinkhorn"])
def test_the_loss_is_that_of_conditionals_and_of_distances_from_class_means(conditional: str) -> None:
    rng = torch.Generator().manual_seed(0)
    support, query = (torch.randn(1, 6, 1, 2, 2, generator=rng, dtype=torch.float64) for _ in range(2))
    labels, asked = torch.tensor([[0, 0, 1, 1, 2, 2]]), torch.tensor([[2, 1, 0, 0, 1, 2]])
    batch = TaskBatch(
        support=support,
        support_labels=labels,
        query=query,
        query_mask=torch.ones(1, 6, dtype=torch.bool),
        way=torch.tensor([3]),
        width=3,
    )
    learner = Centroid(conditional=conditional, center=0.7, temperature=1.3, gamma=0.9)  # type: ignore[arg-type]
    found = learner.loss(Model(Flat(), {}), Lesson(0, tasks=batch, query_labels=asked), Plan())
    x, y = support.flatten(2)[0].numpy(), query.flatten(2)[0].numpy()
    means = np.stack([x[:2].mean(0), x[2:4].mean(0), x[4:].mean(0)])
    cost = ((y[:, None] - means) ** 2).sum(2)
    if conditional == "softmax":
        table = -cost / 1.3
    else:
        log_v = np.zeros(3)
        for _ in range(10):
            log_u = -np.log(6) - logsumexp(-cost / 0.9 + log_v, axis=1)
            log_v = -np.log(3) - logsumexp(-cost / 0.9 + log_u[:, None], axis=0)
        table = -cost / 0.9 + log_v
    logs = table - logsumexp(table, axis=1, keepdims=True)
    surrogate = -logs[np.arange(6), asked[0].numpy()].mean()
    center = ((x - means[labels[0].numpy()]) ** 2).mean()
    assert float(found.value) == pytest.approx(surrogate + 0.7 * center)


@pytest.mark.parametrize("way", [5, 20])
def test_single_precision_finds_the_clusters_of_double_precision(way: int) -> None:
    rng = torch.Generator().manual_seed(way)
    means = 0.5 * torch.randn(300, way, 1, 64, generator=rng)  # classes that overlap: rounding would soon decide
    points = (means + torch.randn(300, way, 5, 64, generator=rng)).flatten(1, 2)
    real, count, weights = torch.ones(points.shape[:2], dtype=torch.bool), torch.full((300,), way), torch.ones(300, way)
    single, double = (
        Sinkhorn(gamma=1.0, relative=False).centroids(Cloud(kind, real, count, (weights / way).to(kind.dtype)))
        for kind in (points, points.double())
    )
    own, wanted = torch.cdist(points, single), torch.cdist(points.double(), double)
    assert (own.argmin(2) == wanted.argmin(2)).all()
