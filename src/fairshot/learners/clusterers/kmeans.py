"""k-means: centroids begin far apart (Arthur and Vassilvitskii 2007), then move to the mean of what is nearest (Lloyd).

The defaults are those of Centroid Networks: 20 rounds, one start, and a cluster that lost all its points goes to the
origin. `empty=farthest` takes the farthest point instead, as scikit-learn does.
"""

from dataclasses import dataclass, replace
from typing import Literal

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn.functional import one_hot

from fairshot.learners.solvers.centroids import Centroids, Cloud, Table, squared_distances
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.seeds import Stream

ALMOST_NOTHING = 1e-6  # added to the size of a cluster, as published


@dataclass(frozen=True)
class Kmeans(Centroids):
    """Nearest centroids."""

    iterations: int = 20
    restarts: int = 1
    """Beginnings, of which the best is kept."""
    trials: int = 1
    """Candidates for each centroid at the beginning, of which the best is kept; scikit-learn has 2 + log(clusters)."""
    empty: Literal["origin", "farthest"] = "origin"

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, least in (("iterations", 0), ("restarts", 1), ("trials", 1)):
            if getattr(self, name) < least:
                raise FairshotError(f"{name} of kmeans is {getattr(self, name)}: it must be at least {least}")

    def centroids(self, cloud: Cloud) -> Table:
        """The best of all beginnings."""
        cloud = _in_order(cloud)
        best, best_centroids = torch.full((len(cloud.points),), torch.inf), torch.empty(0)
        for restart in range(self.restarts):
            centroids = self.lloyd(cloud, self.begin(cloud, restart))
            spread = inertia(cloud, centroids)
            better = spread < best
            best_centroids = torch.where(better[:, None, None], centroids, best_centroids) if restart else centroids
            best = torch.where(better, spread, best)
        return best_centroids

    def begin(self, cloud: Cloud, restart: int = 0) -> Table:
        """Points, each drawn by its squared distance from those before it."""
        width = cloud.weights.shape[1]
        drawn = cloud.streams(self.seed, "k-means", restart).uniform(width * self.trials)
        draws = torch.from_numpy(drawn).view(-1, width, self.trials)
        chosen = [_take(cloud.points, _draw(cloud.shares, draws[:, 0, :1]))[:, 0]]
        near = _distances(cloud, chosen[0][:, None])[:, 0]
        for place in range(1, width):
            candidates = _take(cloud.points, _draw(near, draws[:, place]))
            nearer = torch.minimum(near[:, None], _distances(cloud, candidates))
            best = nearer.sum(2).argmin(1)
            chosen.append(_take(candidates, best[:, None])[:, 0])
            near = _take(nearer, best[:, None])[:, 0]
        return torch.stack(chosen, 1)

    def lloyd(self, cloud: Cloud, centroids: Table) -> Table:
        """So many rounds of moving every centroid to the mean of its points."""
        for _ in range(self.iterations):
            distances = squared_distances(cloud.points, centroids).masked_fill(~cloud.present[:, None, :], torch.inf)
            nearest, belongs = distances.min(2)
            members = one_hot(belongs, centroids.shape[1]).to(cloud.points.dtype) * cloud.real[:, :, None]
            if self.empty == "farthest":
                members = _refilled(members, nearest.masked_fill(~cloud.real, -1), cloud)
            centroids = torch.bmm(members.mT, cloud.points) / (members.sum(1) + ALMOST_NOTHING)[:, :, None]
        return centroids


def inertia(cloud: Cloud, centroids: Table) -> Float[Tensor, " episode"]:
    """The sum of squared distances from the nearest centroid."""
    distances = squared_distances(cloud.points, centroids).masked_fill(~cloud.present[:, None, :], torch.inf)
    return (distances.amin(2) * cloud.real).sum(1)


def _in_order(cloud: Cloud) -> Cloud:
    """Points sorted along some direction, padding last: where they stood tells nothing, their classes least.

    The direction may be the same for all: which points are drawn is decided by the numbers that each episode draws.
    """
    direction = torch.from_numpy(Stream(0, "direction").uniform(cloud.points.shape[2]) - 0.5).to(cloud.points.dtype)
    places = (cloud.points @ direction).masked_fill(~cloud.real, torch.inf).argsort(dim=1, stable=True)
    return replace(cloud, points=_take(cloud.points, places), real=cloud.real.gather(1, places))


def _take(
    table: Float[Tensor, "episode row column"], places: Int[Tensor, "episode place"]
) -> Float[Tensor, "episode place column"]:
    return table.gather(1, places[:, :, None].expand(-1, -1, table.shape[2]))


def _draw(
    weights: Float[Tensor, "episode point"], draws: Float[Tensor, "episode trial"]
) -> Int[Tensor, "episode trial"]:
    """Points by weight, from uniform numbers."""
    heaps = weights.double().cumsum(1)
    wanted = heaps[:, -1:] * draws
    last = (weights > 0).double().cumsum(1).argmax(1, keepdim=True)  # the last point with any weight
    return torch.searchsorted(heaps, wanted, right=True).minimum(last)


def _distances(cloud: Cloud, others: Table) -> Float[Tensor, "episode other point"]:
    return squared_distances(cloud.points, others).mT * cloud.real[:, None, :]


def _refilled(members: Tensor, nearest: Float[Tensor, "episode point"], cloud: Cloud) -> Tensor:
    """Empty clusters get the points that are farthest from their centroids, which leave their own."""
    empty = (members.sum(1) == 0) & cloud.present
    if not empty.any():
        return members
    members, order = members.clone(), nearest.argsort(dim=1, descending=True)
    for episode, cluster in empty.nonzero().tolist():
        point = order[episode, int(empty[episode, :cluster].sum())]
        members[episode, point] = 0
        members[episode, point, cluster] = 1
    return members
