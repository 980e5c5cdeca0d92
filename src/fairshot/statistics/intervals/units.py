"""Would other units change the mean? Each unit is one class, or several classes that share what makes them hard.

An episode draws some classes of a pool: of all classes, or of one parent. Equations (D25) to (D29) of
docs/derivation.md.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Bool, Float, Int

from fairshot.statistics.answers import Answers
from fairshot.statistics.estimate import Spread
from fairshot.statistics.intervals.influence import TINY, Influence

WIDEST = 0.8  # at variable way, episodes with more than this share of all classes tell too little about the others
UNEVEN = 8.0  # standard deviations above what drawing classes equally often would give
FEWEST = 0.05  # of the episodes must be usable

PerEpisode = Float[np.ndarray, " episode"]
PerUnit = Float[np.ndarray, " unit"]
PerPool = Float[np.ndarray, " pool"]


def spread_over_units(
    answers: Answers, pool_of: Int[np.ndarray, " class"], unit_of: Int[np.ndarray, " class"], population: str
) -> Spread | str:
    """The spread of the mean over fresh units, or why there is none; a unit lies in one pool."""
    draws = Draws(answers, pool_of, unit_of)
    if draws.usable.mean() < FEWEST:
        return "the episodes hold all classes there are: they tell nothing about others"
    if draws.uneven:
        return "some classes are drawn more often than others: how others would be drawn is not known"
    return draws.influence().spread(answers, population)


@dataclass(frozen=True, eq=False)
class Meetings:
    """Every unit of every episode: how many of its classes were drawn."""

    episode: Int[np.ndarray, " meeting"]
    unit: Int[np.ndarray, " meeting"]
    classes: Float[np.ndarray, " meeting"]


@dataclass(frozen=True, eq=False)
class Draws:
    """Which classes episodes drew, by pool and unit."""

    answers: Answers
    pool_of: Int[np.ndarray, " class"]
    unit_of: Int[np.ndarray, " class"]

    @cached_property
    def pools(self) -> int:
        """How many pools there are."""
        return int(self.pool_of.max()) + 1

    @cached_property
    def pool(self) -> Int[np.ndarray, " episode"]:
        """The pool that each episode drew from."""
        pool = np.zeros(self.answers.episodes, dtype=np.int64)
        pool[self.answers.episode] = self.pool_of[self.answers.class_row]
        return pool

    @cached_property
    def pool_size(self) -> PerEpisode:
        """How many classes the pool of each episode has: N of (D25)."""
        return np.bincount(self.pool_of)[self.pool].astype(np.float64)

    @cached_property
    def share(self) -> PerEpisode:
        """The share of its pool's classes that each episode drew: W / N."""
        return self.answers.way / self.pool_size

    @cached_property
    def pool_of_unit(self) -> Int[np.ndarray, " unit"]:
        """The pool of each unit."""
        pools = np.zeros(int(self.unit_of.max()) + 1, dtype=np.int64)
        pools[self.unit_of] = self.pool_of
        return pools

    @cached_property
    def unit_size(self) -> PerUnit:
        """How many classes each unit has: m of (D26)."""
        return np.bincount(self.unit_of).astype(np.float64)

    @cached_property
    def usable(self) -> Bool[np.ndarray, " episode"]:
        """The episodes that leave enough classes out (D25)."""
        way = self.answers.way
        usable = way <= WIDEST * self.pool_size
        return way < self.pool_size if way.min() == way.max() and not usable.any() else usable

    @property
    def uneven(self) -> bool:
        """Whether classes of one pool are drawn more unequally than chance allows, as below nodes of a hierarchy."""
        expected = np.bincount(self.pool, self.share, self.pools)[self.pool_of]
        variance = np.bincount(self.pool, self.share * (1 - self.share), self.pools)[self.pool_of]
        times = np.bincount(self.answers.class_row, minlength=len(self.pool_of))
        varies = variance > 0
        excess = ((times - expected)[varies] ** 2 / variance[varies]).sum() - varies.sum()  # (D29)
        return bool(excess > UNEVEN * np.sqrt(2 * max(varies.sum(), 1)))

    @cached_property
    def weighted_scores(self) -> PerEpisode:
        """Each episode's score around the mean of its kind, as a delete-one value: x of (D25); 0 where not usable."""
        way, scores = self.answers.way, self.answers.scores
        kind = self.pool * (int(way.max()) + 1) + way  # episodes of one pool and one way
        times = np.bincount(kind)
        centred = scores - (np.bincount(kind, scores) / np.maximum(times, 1))[kind]
        centred *= np.sqrt(times / np.maximum(times - 1, 1))[kind]
        left_out = np.maximum(self.pool_size - way, 1e-9)
        return np.where(self.usable, self.pool_size / left_out * centred, 0) / self.usable.mean()

    @cached_property
    def meetings(self) -> Meetings:
        """Every unit of every episode."""
        units = len(self.unit_size)
        unit = self.unit_of[self.answers.class_row]
        if units == len(self.unit_of):  # each class is a unit of its own
            return Meetings(self.answers.episode, unit, np.ones(len(unit)))
        keys, classes = np.unique(self.answers.episode * units + unit, return_counts=True)
        return Meetings(keys // units, keys % units, classes.astype(np.float64))

    def influence(self) -> Influence:
        """What leaving out each unit does to the mean (D26), with kappa of (D5) for the units of each pool."""
        totals = self._square_totals()
        sizes = np.bincount(self.pool_of_unit, minlength=self.pools)
        scale = np.maximum(sizes - 1, 0) / np.maximum(sizes, 1) / self.answers.episodes**2
        return Influence(
            sums=self._sums(),
            squares=self._squares(totals),
            square_totals=totals,
            stratum=self.pool_of_unit,
            sizes=sizes,
            scale=scale,
        )

    def _sums(self) -> PerUnit:
        """D of (D26)."""
        x, met = self.weighted_scores, self.meetings
        drawn = np.bincount(met.unit, x[met.episode] * met.classes, len(self.unit_size))
        expected = np.bincount(self.pool, x * self.share, self.pools)
        return drawn - expected[self.pool_of_unit] * self.unit_size

    def _square_totals(self) -> PerPool:
        """G of (D27): the sum over episodes and units of squares, multiplied out so that it runs over meetings only."""
        x, met, size = self.weighted_scores, self.meetings, self.unit_size
        cross = met.classes**2 - 2 * self.share[met.episode] * met.classes * size[met.unit]
        size_squares = np.bincount(self.pool_of_unit, size**2, self.pools)
        distance = np.bincount(met.episode, cross, self.answers.episodes) + self.share**2 * size_squares[self.pool]
        return np.bincount(self.pool, x * x * distance, self.pools)

    def _squares(self, totals: PerPool) -> PerUnit:
        """M of (D28): the squares of the meetings of each unit, rescaled to the totals of their pools."""
        x, met = self.weighted_scores, self.meetings
        squares = np.bincount(met.unit, (x[met.episode] * met.classes) ** 2, len(self.unit_size))
        by_pool = np.bincount(self.pool_of_unit, squares, self.pools)
        return squares * (totals / np.maximum(by_pool, TINY))[self.pool_of_unit]
