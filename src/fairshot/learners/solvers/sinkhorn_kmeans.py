"""Sinkhorn K-means: k-means whose clusters get equal or given shares of the points, by optimal transport
(Huang et al., Centroid Networks, 2019).
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from fairshot.learners.solvers.centroids import Centroids, Cloud, Table
from fairshot.learners.solvers.transport import Effort, transport
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.seeds import Stream

EXACT = 4  # rounds in double precision: centroids begin close together, and rounding errors grow as they part
PLACES = 1 << 16  # where a stretch of random numbers can begin: a table of this length fits the cache
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
        return torch.cat([self._rounds(part) for part in cloud.split(PORTION)])

    def _rounds(self, cloud: Cloud) -> Table:
        points, weights, shares = cloud.points.double(), cloud.weights.double(), cloud.shares.double()
        # Only differences count: near their mean, squares of distances keep their digits.
        mean = torch.bmm(shares[:, None], points)
        points = (points - mean) * cloud.real[:, :, None]
        noise = Noise.of(cloud, self.seed, self.iterations + 1)
        centroids = self.spread * noise.table(0, points.dtype)
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
            solution = transport(near.mT, shares, weights, self._effort(turn), potential)
            potential = solution.log_cluster
            plan = solution.plan.mT
            mass = plan.sum(2, keepdim=True).clamp(min=torch.finfo(points.dtype).tiny)
            means = torch.bmm(plan, points) / mass
            centroids = means.add_(noise.table(turn + 1, points.dtype), alpha=self.noise)
        return (centroids + mean).to(cloud.points.dtype)

    def _effort(self, turn: int) -> Effort:
        return Effort(1000, self.tolerance) if self.tolerance else Effort(self.inner if turn else self.first)


@dataclass(frozen=True)
class Noise:
    """Normal numbers of each episode's own; further clusters leave those of the others as they are.

    A row is a stretch of one long table, from a place that the episode draws: gathering numbers is many times as fast
    as making them.
    """

    seed: int
    width: int
    places: Int[Tensor, "turn episode cluster"]

    @classmethod
    def of(cls, cloud: Cloud, seed: int, turns: int) -> "Noise":
        """For so many turns."""
        clusters = cloud.weights.shape[1]
        words = cloud.streams(seed, "centroid").words(clusters * turns) % np.uint64(PLACES)
        places = torch.from_numpy(words.astype(np.int64)).view(-1, clusters, turns)
        return cls(seed, cloud.points.shape[2], places.permute(2, 0, 1).contiguous())

    def table(self, turn: int, kind: torch.dtype) -> Table:
        """The numbers of one turn."""
        chosen = _normal(self.seed, self.width, kind).index_select(0, self.places[turn].flatten())
        return chosen.view(*self.places.shape[1:], self.width)


@lru_cache(maxsize=4)
def _normal(seed: int, width: int, kind: torch.dtype) -> Float[Tensor, "place width"]:
    """All stretches of so many normal numbers, by Box and Muller; they share their memory."""
    first, second = torch.from_numpy(Stream(seed, "centroid").uniform(2, PLACES + width))
    numbers = (-2 * torch.log1p(-first)).sqrt() * torch.cos(2 * torch.pi * second)
    return numbers.to(kind).unfold(0, width, 1)
