"""Clustering by centroids: what all such clusterers share, however they find them.

The number of clusters is that of the classes, which is known in the usual task; or it is wrong by some, or estimated.
"""

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from fairshot.learners.learner import Clusterer, Clusters, TaskBatch
from fairshot.learners.solvers.silhouette import silhouette
from fairshot.learners.solvers.transport import Effort, transport
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.seeds import Streams
from fairshot.tasks.episodes import PAD

Points = Float[Tensor, "episode point feature"]
Table = Float[Tensor, "episode cluster feature"]
Fit = Float[Tensor, "episode point cluster"]


@dataclass(frozen=True)
class Cloud:
    """The points of several episodes, which of them are real, and how many clusters of what weight are looked for."""

    points: Points
    real: Bool[Tensor, "episode point"]
    count: Int[Tensor, " episode"]
    weights: Float[Tensor, "episode cluster"]
    """Shares of the points; zero for clusters that an episode does not have."""
    seeds: Int[Tensor, " episode"] = None  # type: ignore[assignment]
    """Where the random numbers of each episode begin; 0 for all unless they are given."""

    def __post_init__(self) -> None:
        if self.seeds is None:
            object.__setattr__(self, "seeds", torch.zeros_like(self.count))

    def streams(self, *path: int | str) -> Streams:
        """Random numbers of each episode's own."""
        return Streams(self.seeds.numpy(), *path)

    @property
    def shares(self) -> Float[Tensor, "episode point"]:
        """The weight of each point: all real ones have the same."""
        real = self.real.to(self.points.dtype)
        return real / real.sum(1, keepdim=True)

    def split(self, numbers: int) -> "list[Cloud]":
        """Some episodes at a time, such that points by clusters are about so many numbers."""
        size = max(1, numbers // (self.points.shape[1] * self.weights.shape[1]))
        tables = (self.points, self.real, self.count, self.weights, self.seeds)
        return [Cloud(*parts) for parts in zip(*(torch.split(table, size) for table in tables), strict=True)]

    @property
    def present(self) -> Bool[Tensor, "episode cluster"]:
        """Which clusters an episode has."""
        return torch.arange(self.weights.shape[1]) < self.count[:, None]


@dataclass(frozen=True)
class Centroids(Clusterer):
    """Points belong to centroids: to the nearest, or such that every cluster gets its share."""

    predict: Literal["nearest", "sinkhorn"] = "nearest"
    """What a point belongs to; `sinkhorn` looks at all queries together."""
    gamma: float = 1.0
    """How soft shares are, in units of squared distance."""
    predict_iterations: int = 10
    count: Literal["known", "estimated"] = "known"
    """Whether the number of classes is known; otherwise it is the one with the best silhouette."""
    extra: int = 0
    """So many more clusters than classes; fewer if negative."""
    sizes: Literal["equal", "known"] = "equal"
    """What is believed of the sizes of classes."""
    seed: int = 0

    random: ClassVar = True

    def __post_init__(self) -> None:
        for name in ("gamma", "predict_iterations"):
            if getattr(self, name) <= 0:
                raise FairshotError(f"{name} of a clusterer is {getattr(self, name)}: it must be above 0")

    @property
    def transductive(self) -> bool:  # type: ignore[override]
        """Where queries share clusters out among themselves."""
        return self.predict == "sinkhorn"

    @abstractmethod
    def centroids(self, cloud: Cloud) -> Table:
        """Where clusters are; the same whatever the order of the points and whatever stands in padding."""

    def cluster(self, batch: TaskBatch, sizes: Int[Tensor, "episode way"]) -> Clusters:
        """Centroids of the support, and what belongs to them."""
        real = batch.support_labels != PAD
        cloud = self._estimated(batch, real) if self.count == "estimated" else self._known(batch, real, sizes)
        centroids = self.centroids(cloud)
        # Sizes are known of the support alone: queries of other proportions must not be shared out by them.
        balanced = cloud.present / cloud.count[:, None].to(cloud.weights.dtype)
        asked = Cloud(batch.vectors[1], batch.query_mask, cloud.count, balanced)
        return Clusters(self.fit(cloud, centroids), self.fit(asked, centroids), cloud.count)

    def fit(self, cloud: Cloud, centroids: Table) -> Fit:
        """How well each point fits each cluster; minus infinity for clusters that an episode does not have."""
        near = -squared_distances(cloud.points, centroids)
        if self.predict == "sinkhorn":
            shares, effort = cloud.shares, Effort(self.predict_iterations)
            near = transport(near / self.gamma, shares, cloud.weights, effort).conditional
        return near.masked_fill(~cloud.present[:, None, :], -torch.inf)

    def _known(self, batch: TaskBatch, real: Bool[Tensor, "episode point"], sizes: Tensor) -> Cloud:
        support = batch.vectors[0]
        count = torch.minimum((batch.way + self.extra).clamp(min=1), real.sum(1))
        if self.sizes == "known" and self.extra == 0:
            weights = sizes.to(support.dtype)
            return Cloud(support, real, count, weights / weights.sum(1, keepdim=True), batch.seeds)
        return _equal(batch, real, count, max(1, batch.width + self.extra))

    def _estimated(self, batch: TaskBatch, real: Bool[Tensor, "episode point"]) -> Cloud:
        """As many clusters as give the best silhouette; the labels' number is not looked at."""
        support = batch.vectors[0]
        most = max(2, int(real.sum(1).max()) // 2)
        best, chosen = torch.full((len(support),), -torch.inf), torch.full((len(support),), 2)
        distances = torch.cdist(support, support)
        for count in range(2, most + 1):
            cloud = _equal(batch, real, torch.full((len(support),), count), count)
            score = silhouette(distances, real, self.fit(cloud, self.centroids(cloud)).argmax(2), count)
            better = (score > best) & (2 * count <= real.sum(1))
            best, chosen = torch.where(better, score, best), torch.where(better, count, chosen)
        return _equal(batch, real, chosen, most)


def in_units(batch: TaskBatch) -> TaskBatch:
    """The same tasks with vectors around the support's mean, in units of its deviation from it.

    Where all support vectors are the same, the unit stays what it was.
    """
    support, query = batch.vectors
    real = (batch.support_labels != PAD)[:, :, None]
    count = real.sum(1, keepdim=True)
    mean = (support.sum(1, keepdim=True, dtype=torch.float64) / count).to(support.dtype)
    apart = (support - mean) * real
    length = torch.linalg.vector_norm(apart, dim=(1, 2), keepdim=True, dtype=torch.float64) / count.sqrt()
    unit = length.where(length > 0, 1).to(support.dtype)
    return replace(batch, support=apart.div_(unit), query=(query - mean).div_(unit))


def _equal(batch: TaskBatch, real: Bool[Tensor, "episode point"], count: Int[Tensor, " episode"], width: int) -> Cloud:
    """The support in clusters that are believed to have the same size."""
    points, present = batch.vectors[0], torch.arange(width) < count[:, None]
    return Cloud(points, real, count, present / count[:, None].to(points.dtype), batch.seeds)


def squared_distances(points: Points, centroids: Table) -> Fit:
    """Between every point and every centroid."""
    # Far from zero the difference of squares would lose its digits.
    midst = centroids.mean(1, keepdim=True)
    points, centroids = points - midst, centroids - midst
    products = torch.bmm(points, centroids.mT)
    lengths = points.square().sum(2)[:, :, None] + centroids.square().sum(2)[:, None, :]
    return (lengths - 2 * products).clamp(min=0)
