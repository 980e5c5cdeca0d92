"""Entropic optimal transport between points and clusters (Cuturi 2013), for many episodes at once.

Each iteration matches the weights of the points, then those of the clusters, so that the latter are exact at the end.
Iterations are products of positive numbers, several times as fast as sums of exponentials; what would leave the range
of floats is done again with logarithms, episode by episode, so that no episode depends on its neighbours.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float
from torch import Tensor

LOWEST = -60.0  # logarithms of the kernel below this count as this: numbers near the end of the range take long
MOST = 1e17  # clusters whose scalings differ by more than this have lost digits to that

Kernel = Float[Tensor, "episode point cluster"]
Points = Float[Tensor, "episode point"]
Clusters = Float[Tensor, "episode cluster"]


@dataclass(frozen=True)
class Transport:
    """How much of each point goes to each cluster, and the potential of the clusters, from which one can go on."""

    log_kernel: Kernel
    plan: Kernel
    log_cluster: Clusters

    @property
    def conditional(self) -> Kernel:
        """The logarithm of how likely each cluster is, given the point; points without weight have one too."""
        return (self.log_kernel + self.log_cluster[:, None, :]).log_softmax(2)


@dataclass(frozen=True)
class Effort:
    """How long is iterated: so often, or until the weights of the points are met to a tolerance."""

    iterations: int
    tolerance: float = 0.0


def transport(
    log_kernel: Kernel, points: Points, clusters: Clusters, effort: Effort, start: Clusters | None = None
) -> Transport:
    """The plan whose sums are the given weights; a weight of zero takes no part. Gradients flow through."""
    log_start = torch.zeros_like(clusters) if start is None else start
    log_start = log_start.masked_fill(clusters == 0, -torch.inf)
    if log_kernel.requires_grad or effort.tolerance:
        return _by_logarithms(log_kernel, points, clusters, log_start, effort)
    solution, lost = _by_products(log_kernel, points, clusters, effort.iterations, log_start)
    if not lost.any():
        return solution
    kernel, rows, columns, start = (table[lost].double() for table in (log_kernel, points, clusters, log_start))
    again = _by_logarithms(kernel, rows, columns, start, effort)
    plan, log_cluster = solution.plan.clone(), solution.log_cluster.clone()
    plan[lost], log_cluster[lost] = again.plan.to(plan.dtype), again.log_cluster.to(plan.dtype)
    return Transport(log_kernel, plan, log_cluster)


def _by_logarithms(
    log_kernel: Kernel, points: Points, clusters: Clusters, log_cluster: Clusters, effort: Effort
) -> Transport:
    log_rows, log_columns = points.log(), clusters.log()
    log_point, going = log_rows, torch.ones(len(points), dtype=torch.bool)
    for _ in range(effort.iterations):
        rows = log_rows - torch.logsumexp(log_kernel + log_cluster[:, None, :], 2)
        columns = log_columns - torch.logsumexp((log_kernel + rows[:, :, None]).mT, 2)
        if not effort.tolerance:
            log_point, log_cluster = rows, columns
            continue
        log_point = torch.where(going[:, None], rows, log_point)
        log_cluster = torch.where(going[:, None], columns, log_cluster)
        met = (log_kernel + log_point[:, :, None] + log_cluster[:, None, :]).exp().sum(2)
        going = going & ((met - points).abs().amax(1) > effort.tolerance * points.amax(1))
        if not going.any():
            break
    plan = (log_kernel + log_point[:, :, None] + log_cluster[:, None, :]).exp()
    return Transport(log_kernel, plan, log_cluster)


def _by_products(
    log_kernel: Kernel, points: Points, clusters: Clusters, iterations: int, log_cluster: Clusters
) -> tuple[Transport, Bool[Tensor, " episode"]]:
    """The same by plain products, and the episodes in which they are not to be trusted."""
    # Episodes come last: every operation then runs along them, however few points and clusters there are.
    shape = (clusters.shape[1], points.shape[1], len(points))
    plan = log_kernel.mT.flatten(1).T.contiguous().view(shape) + log_cluster.T[:, None]
    plan = plan.sub_(plan.amax(0)).clamp_(min=LOWEST).exp_()
    rows, columns = points.T.contiguous(), clusters.T.contiguous()
    nobody, absent = rows == 0, columns == 0
    padded = bool(nobody.any() or absent.any())
    if padded:
        plan *= ~absent[:, None]
    scaled = torch.ones_like(columns)
    for _ in range(iterations):
        share = rows / plan.sum(0)
        plan *= share.masked_fill_(nobody, 0) if padded else share
        factor = columns / plan.sum(1)
        factor = factor.masked_fill_(absent, 1) if padded else factor
        plan *= factor[:, None]
        scaled *= factor
    lost = ~(scaled.amax(0) < MOST * scaled.masked_fill(absent, torch.inf).amin(0))
    masses = plan.flatten(0, 1).T.contiguous().view(shape[2], *shape[:2]).mT
    return Transport(log_kernel, masses, log_cluster + scaled.log().T), lost
