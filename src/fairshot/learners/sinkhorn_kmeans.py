"""Sinkhorn K-means: k-means whose clusters get equal or given shares of the points, by optimal transport
(Huang et al., Centroid Networks, 2019).
"""

from dataclasses import dataclass
from functools import lru_cache

import torch
from jaxtyping import Float
from torch import Tensor

from fairshot.learners.centroids import Centroids, Cloud, Table
from fairshot.learners.transport import Effort, transport
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.seeds import Stream

EXACT = 4  # rounds in double precision: centroids begin close together, and rounding errors grow as they part
PORTION = 1 << 17  # points by clusters that are iterated at a time: what fits the cache is several times faster


@dataclass(frozen=True)
class SinkhornKmeans(Centroids):
    """Balanced centroids; the numbers of the published code."""

    iterations: int = 20
    first: int = 20
    """Iterations of the transport in the first round."""
    inner: int = 4
    """In every other round, which goes on from the last."""
    spread: float = 0.01
    """Deviation of the centroids from the mean at the beginning."""
    noise: float = 0.001
    """What is added to the centroids after every round."""
    tolerance: float = 0.0
    """If above 0, the transport of a round goes on until shares are met to it, with 1000 iterations at most."""

    def __post_init__(self) -> None:
        super().__post_init__()
        bounds = {"iterations": 1, "first": 1, "inner": 1, "noise": 0, "spread": 0, "tolerance": 0}
        for name, least in bounds.items():
            if getattr(self, name) < least:
                raise FairshotError(f"{name} of Sinkhorn K-means is {getattr(self, name)}: it must be {least} or more")

    @property
    def shift_invariant(self) -> bool:
        """Only differences of points count."""
        return True

    def centroids(self, cloud: Cloud) -> Table:
        """After all rounds."""
        noise = self._noise(self.iterations + 1, cloud.weights.shape[1], cloud.points.shape[2])
        return torch.cat([self._rounds(part, noise) for part in cloud.split(PORTION)])

    def _rounds(self, cloud: Cloud, noise: Float[Tensor, "turn cluster feature"]) -> Table:
        points, weights, shares = cloud.points.double(), cloud.weights.double(), cloud.shares.double()
        # Only differences count: near their mean, squares of distances keep their digits.
        mean = torch.bmm(shares[:, None], points)
        points = (points - mean) * cloud.real[:, :, None]
        centroids = (self.spread * noise[0]).expand(len(points), -1, -1)
        potential = None
        for turn in range(self.iterations):
            if turn == EXACT and not self.tolerance:
                kind = cloud.points.dtype
                points, weights, shares, centroids = (t.to(kind) for t in (points, weights, shares, centroids))
                potential = None if potential is None else potential.to(kind)
            # The lengths of points would be taken out again by the first iteration. Clusters by points: such products
            # of small matrices are twice as fast as points by clusters.
            lengths = centroids.square().sum(2, keepdim=True) / self.gamma
            near = torch.baddbmm(lengths, centroids * (2 / self.gamma), points.mT, beta=-1)
            found = transport(near.mT, shares, weights, self._effort(turn), potential)
            potential = found.log_cluster
            plan = found.plan.mT
            mass = plan.sum(2, keepdim=True).clamp(min=torch.finfo(points.dtype).tiny)
            centroids = torch.bmm(plan, points) / mass + self.noise * noise[turn + 1].to(points.dtype)
        return (centroids + mean).to(cloud.points.dtype)

    def _effort(self, turn: int) -> Effort:
        return Effort(1000, self.tolerance) if self.tolerance else Effort(self.inner if turn else self.first)

    def _noise(self, turns: int, clusters: int, width: int) -> Float[Tensor, "turn cluster feature"]:
        """Normal numbers, the same for every episode: an answer depends on nothing else."""
        return _normal(self.seed, turns, clusters, width)


@lru_cache(maxsize=4)
def _normal(seed: int, *shape: int) -> Float[Tensor, "..."]:
    """By Box and Muller, cluster by cluster, so that further clusters leave the others as they are."""
    turns, clusters, width = shape
    drawn = [Stream(seed, "centroid", cluster).uniform(2, turns, width) for cluster in range(clusters)]
    first, second = torch.stack([torch.from_numpy(each) for each in drawn], 2)
    return (-2 * torch.log1p(-first)).sqrt() * torch.cos(2 * torch.pi * second)
