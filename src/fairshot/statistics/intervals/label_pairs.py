"""How much a fresh pool of labelled images would move the mean over draws: products of different draws.

Equations (D63) to (D66) of docs/derivation.md.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float, Int

from fairshot.statistics.probe_answers import ProbeAnswers

PerDrawAndClass = Float[np.ndarray, "draw class"]


@dataclass(frozen=True, eq=False)
class PoolUnits:
    """What a fresh pool has others of: images, or groups of images that depend on each other, within a class."""

    unit: Int[np.ndarray, " pool"]
    sizes: Int[np.ndarray, " unit"]
    owner: Int[np.ndarray, " unit"]
    """The class of each unit."""
    pool_counts: Int[np.ndarray, " class"]
    shot: int

    @classmethod
    def of(cls, answers: ProbeAnswers) -> "PoolUnits":
        """The units of the pool that these draws are from."""
        layout = answers.layout
        keys = layout.pool_group * layout.classes + layout.pool_class
        kinds, unit, sizes = np.unique(keys, return_inverse=True, return_counts=True)
        return cls(unit, sizes, kinds % layout.classes, layout.pool_counts, answers.shot)

    @cached_property
    def per_class(self) -> Int[np.ndarray, " class"]:
        """How many units each class has."""
        return np.bincount(self.owner, minlength=len(self.pool_counts))

    @cached_property
    def share(self) -> Float[np.ndarray, " unit"]:
        """The share of its class's images that each unit has."""
        return self.sizes / self.pool_counts[self.owner]

    @cached_property
    def factor(self) -> Float[np.ndarray, " unit"]:
        """What leaving out a unit multiplies its excess among the drawn images by (D63)."""
        count = self.pool_counts[self.owner].astype(np.float64)
        return (count - 1) * count / ((count - self.shot) * np.maximum(count - self.sizes, 1))

    @cached_property
    def fixed_share(self) -> float:
        """The largest share of the variance of one draw that the pool can fix, in the mean over classes (D65)."""
        count = self.pool_counts.astype(np.float64)
        with_return = np.bincount(self.owner, self.share**2, len(count))
        same = np.bincount(self.owner, self.sizes * (self.sizes - 1), len(count)) / (count * np.maximum(count - 1, 1))
        return float((with_return / (1 / self.shot + (1 - 1 / self.shot) * same)).mean())

    @cached_property
    def overlap(self) -> Float[np.ndarray, " class"]:
        """The mean square of what two draws have in common beyond chance, class by class (D66)."""
        count, part, weight = self.pool_counts.astype(np.float64), self.share, self.factor
        classes = len(count)
        single = np.bincount(self.owner, (weight**2 * part * (1 - part)) ** 2, classes)
        both, own = (np.bincount(self.owner, (weight * part) ** power, classes) for power in (2, 4))
        return (self.shot * (count - self.shot) / (count - 1)) ** 2 * (single + both**2 - own)


def pair_variance(answers: ProbeAnswers, units: PoolUnits, moved: PerDrawAndClass) -> tuple[float, float]:
    """The variance of the mean over fresh pools, and the standard deviation of that estimate, given the data (D64).

    `moved` is, for each draw and class, the part of the score that the labelled images of the class can move.
    """
    draws = answers.draws
    centred = (moved - moved.mean(axis=0)) * np.sqrt(draws / (draws - 1))
    sums, totals = _influence(answers, units, centred)
    classes = len(units.pool_counts)
    scale = (units.per_class - 1) / units.per_class / draws**2
    by_class = scale * (np.bincount(units.owner, sums**2, classes) - totals) * draws / (draws - 1)
    noise = scale * np.sqrt(2 * units.overlap) * draws * moved.var(axis=0, ddof=1)
    return float(by_class.sum()), float(np.sqrt((noise**2).sum()))


def _influence(
    answers: ProbeAnswers, units: PoolUnits, centred: PerDrawAndClass
) -> tuple[Float[np.ndarray, " unit"], Float[np.ndarray, " class"]]:
    """Sums over draws of what leaving out each unit does, and all squares of it by class: D and G of (D6)."""
    draws, classes, shot = answers.support.shape
    drawn = units.unit[answers.support].reshape(draws, -1)
    keys = (np.arange(draws)[:, None] * len(units.sizes) + drawn).ravel()
    times = np.ones(len(keys), dtype=np.int64)
    if len(units.sizes) < len(units.unit):  # several images of one unit may be in one draw
        keys, times = np.unique(keys, return_counts=True)
    draw, unit = np.divmod(keys, len(units.sizes))
    score = centred[draw, units.owner[unit]]
    factor, usual = units.factor, units.factor * shot * units.share
    met = factor[unit] * times * score
    sums = np.bincount(unit, met, len(units.sizes)) - usual * centred.sum(axis=0)[units.owner]
    squares = np.bincount(units.owner[unit], met**2 - 2 * met * usual[unit] * score, classes)
    return sums, squares + np.bincount(units.owner, usual**2, classes) * (centred**2).sum(axis=0)
