"""The multi-class support vector machine of Crammer and Singer (2001) for whole batches of tasks, and its derivative.

Of all z with z[i, m] at most C for an image's own class and 0 for any other, and sum zero over the classes of an image,
the one that minimises  1/2 sum_m z[:, m]' (K + I) z[:, m] - sum_i z[i, label of i].

An interior-point method (Mehrotra 1992) finds which bounds are met. Given these, z solves a linear system; that system
is solved once more where torch can see it, which gives all digits, and the derivative by the gram matrix K.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from fairshot.learners.solvers.ridge_regression import ROUNDING

STEPS = 40  # about a dozen are usual
GAP = 1e-13  # what is left of complementarity when the method stops, where kernels are around one
BACK = 0.99  # the share of the way to the next bound that a step may go
PORTION = 1 << 22  # numbers in the matrices solved at a time: they stay small beside the memory

Gram = Float[Tensor, "episode support support"]
Dual = Float[Tensor, "episode way support"]
Which = Bool[Tensor, "episode way support"]


def solve_dual(
    gram: Gram, members: Float[Tensor, "episode support way"], *, bound: float
) -> Float[Tensor, "episode support way"]:
    """The best z; zero for padding and for classes that an episode does not have. Differentiable by `gram`."""
    count = max(1, PORTION // max(1, members[0].numel() * gram.shape[1]))
    wide, targets = gram.double(), members.double().mT
    places = [slice(first, first + count) for first in range(0, len(gram), count)]
    return torch.cat([_solve_portion(wide[some], targets[some], bound) for some in places]).mT.to(gram.dtype)


def _solve_portion(gram: Gram, targets: Dual, bound: float) -> Dual:
    present = (targets.sum(2, keepdim=True) > 0) & (targets.sum(1, keepdim=True) > 0)
    identity = torch.eye(gram.shape[1], dtype=gram.dtype)
    # Kernels so large that the identity drowns in their rounding would be singular.
    curved = gram + (1 + ROUNDING * gram.diagonal(dim1=1, dim2=2).sum(1)[:, None, None]) * identity
    with torch.no_grad():
        size = curved.diagonal(dim1=1, dim2=2).mean(1)[:, None, None]  # kernels of any size are brought to one
        met = _bounds_met(curved / size, targets, present, bound * size)
    ends = bound * targets * met
    return ends + _Saddle.of(curved, present & ~met).solve(targets - ends @ curved, -ends.sum(1))


def _bounds_met(gram: Gram, targets: Dual, present: Which, bound: Float[Tensor, "episode 1 1"]) -> Which:
    """Which of the z are at their bounds: those whose slack ends below the price of the bound."""
    now = _Point.start(targets, present, bound)
    for _ in range(STEPS):
        gap = now.gap(present)
        if not (gap > GAP).any():
            break
        saddle = _Saddle.of(gram, present, now.price / now.slack)
        force = targets - now.dual @ gram - now.price
        ahead = now.towards(saddle, force, -now.slack * now.price)
        after = now.moved(ahead, now.reach(ahead)).gap(present)
        centre = gap * (after / gap).clamp(0, 1) ** 3
        wanted = (centre - now.slack * now.price + ahead.dual * ahead.price) * present
        step = now.towards(saddle, force, wanted)
        now = now.moved(step, torch.where(gap > GAP, (BACK * now.reach(step)).clamp(max=1), 0))
    return present & (now.slack < now.price)


@dataclass(frozen=True)
class _Point:
    """The z, how far they are from their bounds, and what these bounds cost; or a step from one point to another."""

    dual: Dual
    slack: Dual
    price: Dual

    @classmethod
    def start(cls, targets: Dual, present: Which, bound: Tensor) -> "_Point":
        """As far from near bounds as the sum of zero allows, with a price that makes slack times price all the same.

        Kernels are around one, and so are the z: to begin as far away as a bound of a million lets would never end.
        """
        near = bound.clamp(max=1)
        even = (near / present.sum(1, keepdim=True).clamp(min=1)).where(present, 1)
        dual = (near * targets - even) * present
        slack = (bound * targets - dual).where(present, 1)
        return cls(dual, slack, (even / slack) * present)

    def gap(self, present: Which) -> Float[Tensor, "episode 1 1"]:
        """Slack times price, which is nowhere more than zero at the end."""
        return (self.slack * self.price).sum((1, 2), keepdim=True) / present.sum((1, 2), keepdim=True)

    def towards(self, saddle: "_Saddle", force: Dual, wanted: Dual) -> "_Point":
        """Newton's step to where slack times price has changed by what is wanted."""
        step = saddle.solve(force - wanted / self.slack)
        return _Point(step, -step, (wanted + self.price * step) / self.slack)

    def reach(self, step: "_Point") -> Float[Tensor, "episode 1 1"]:
        """How often the step can be made before slack or price is zero, at most once."""
        shares = [
            torch.where(change < 0, -value / change, 1).amin((1, 2), keepdim=True)
            for value, change in ((self.slack, step.slack), (self.price, step.price))
        ]
        return torch.minimum(*shares).clamp(max=1)

    def moved(self, step: "_Point", share: Float[Tensor, "episode 1 1"]) -> "_Point":
        """Some share of a step further."""
        tables = zip((self.dual, self.slack, self.price), (step.dual, step.slack, step.price), strict=True)
        return _Point(*(value + share * change for value, change in tables))


@dataclass(frozen=True)
class _Saddle:
    """(gram + diagonal) z[m] + level = right[m] for every class m, where the z that are free have a given sum."""

    inverses: Float[Tensor, "episode way support support"]
    together: Float[Tensor, "episode support support"]

    @classmethod
    def of(cls, gram: Gram, free: Which, diagonal: Dual | None = None) -> "_Saddle":
        """Classes are coupled by the level alone, so that small matrices do."""
        both = free[:, :, :, None] & free[:, :, None, :]
        extra = (~free).to(gram.dtype) if diagonal is None else diagonal.where(free, 1)
        matrices = gram[:, None].where(both, 0) + torch.diag_embed(extra)
        inverses = torch.cholesky_inverse(torch.linalg.cholesky(matrices)).where(both, 0)
        nobody = torch.diag_embed((~free.any(1)).to(gram.dtype))
        return cls(inverses, inverses.sum(1) + nobody)

    def solve(self, right: Dual, total: Float[Tensor, "episode support"] | None = None) -> Dual:
        """The z, zero where they are not free; their sum over classes is zero, or as given."""
        alone = (self.inverses @ right[:, :, :, None])[:, :, :, 0]
        excess = alone.sum(1) if total is None else alone.sum(1) - total
        level = torch.linalg.solve(self.together, excess)
        return alone - (self.inverses @ level[:, None, :, None])[:, :, :, 0]
