"""Would other units change the mean? Pair products over units, each of which is one class or a family of classes.

An episode draws some classes of a pool: of all classes, or of one parent. A unit is a class, or classes that share
what makes them easy or hard. For episode t of W classes out of a pool of N, with n_tu classes of unit u, of which the
pool has m_u:

    x_t  = N / (N - W) (score of t - mean score of such episodes)
    D_u  = sum over t of x_t (n_tu - W m_u / N)
    V    = (F - 1) / F / T^2 (sum over u of D_u^2 - sum over t and u of x_t^2 (n_tu - W m_u / N)^2)

D_u / T is what leaving out unit u takes from the mean, to first order; (F - 1) / F times the sum of its squares is the
jackknife for F units. Squares of sums over episodes minus sums of squares are sums over pairs of different episodes,
whose noise is independent, so that V is unbiased for the jackknife at any number of episodes T. Pools are summed up.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Bool, Float, Int

from fairshot.statistics.answers import Answers
from fairshot.statistics.estimate import Spread

WIDEST = 0.8  # at variable way, episodes with more than this share of all classes tell too little about the others
UNEVEN = 8.0  # standard deviations above what drawing classes equally often would give
FEWEST = 0.05  # of the episodes must be usable
TINY = 1e-300

PerEpisode = Float[np.ndarray, " episode"]
PerUnit = Float[np.ndarray, " unit"]
PerPool = Float[np.ndarray, " pool"]


def spread_over_units(
    answers: Answers, pool_of: Int[np.ndarray, " class"], unit_of: Int[np.ndarray, " class"], population: str
) -> Spread | str:
    """The spread of the mean over fresh units, or why it cannot be told; a unit lies in one pool."""
    draws = Draws(answers, pool_of, unit_of)
    if draws.usable.mean() < FEWEST:
        return "the episodes hold all classes there are: they tell nothing about others"
    if draws.uneven:
        return "some classes are drawn more often than others: how others would be drawn is not known"
    return draws.spread(population)


@dataclass(frozen=True, eq=False)
class Draws:
    """Which classes episodes drew, by pool and unit."""

    answers: Answers
    pool_of: Int[np.ndarray, " class"]
    unit_of: Int[np.ndarray, " class"]

    @cached_property
    def pool(self) -> Int[np.ndarray, " episode"]:
        """The pool that each episode drew from."""
        pool = np.zeros(self.answers.episodes, dtype=np.int64)
        pool[self.answers.episode] = self.pool_of[self.answers.class_row]
        return pool

    @cached_property
    def classes(self) -> PerEpisode:
        """How many classes the pool of each episode has."""
        return np.bincount(self.pool_of)[self.pool].astype(np.float64)

    @cached_property
    def usable(self) -> Bool[np.ndarray, " episode"]:
        """The episodes that leave enough classes out."""
        way = self.answers.way
        usable = way <= WIDEST * self.classes
        return way < self.classes if way.min() == way.max() and not usable.any() else usable

    @property
    def uneven(self) -> bool:
        """Whether classes of one pool are drawn more unequally than chance allows, as below nodes of a hierarchy."""
        share = self.answers.way / self.classes
        pools = int(self.pool_of.max()) + 1
        expected = np.bincount(self.pool, share, pools)[self.pool_of]
        variance = np.bincount(self.pool, share * (1 - share), pools)[self.pool_of]
        times = np.bincount(self.answers.class_row, minlength=len(self.pool_of))
        seen = variance > 0
        excess = ((times - expected)[seen] ** 2 / variance[seen]).sum() - seen.sum()
        return bool(excess > UNEVEN * np.sqrt(2 * max(seen.sum(), 1)))

    @cached_property
    def weight(self) -> PerEpisode:
        """The x of every episode: 0 where it is not usable."""
        way, scores = self.answers.way, self.answers.scores
        kind = self.pool * (int(way.max()) + 1) + way
        times = np.bincount(kind)
        centred = scores - (np.bincount(kind, scores) / np.maximum(times, 1))[kind]
        centred *= np.sqrt(times / np.maximum(times - 1, 1))[kind]
        left = np.maximum(self.classes - way, 1e-9)
        return np.where(self.usable, self.classes / left * centred, 0) / self.usable.mean()

    def spread(self, population: str) -> Spread:
        """Variance, its noise and its degrees of freedom."""
        scores, episodes = self.answers.scores, self.answers.episodes
        moved, own, squares = self._sums()
        home = self._home
        units = np.bincount(home, minlength=len(own))
        scale = np.maximum(units - 1, 0) / np.maximum(units, 1) / episodes**2
        by_pool = scale * (np.bincount(home, moved**2, len(own)) - own)
        noise = (scale[home] ** 2 * (2 * squares**2 + 4 * np.maximum(moved**2 - squares, 0) * squares)).sum()
        positive = np.maximum(by_pool, 0)
        freedom = max(positive.sum(), TINY) ** 2 / max((positive**2 / np.maximum(units - 1, 1)).sum(), TINY)
        variance = float(by_pool.sum()) * episodes / (episodes - 1)
        sampling = float(scores.var(ddof=1)) / episodes
        noise = float(np.sqrt(noise))
        return Spread(float(scores.mean()), population, variance, sampling, noise, max(freedom, 1.0), episodes)

    @cached_property
    def _home(self) -> Int[np.ndarray, " unit"]:
        """The pool of each unit."""
        home = np.zeros(int(self.unit_of.max()) + 1, dtype=np.int64)
        home[self.unit_of] = self.pool_of
        return home

    def _sums(self) -> tuple[PerUnit, PerPool, PerUnit]:
        """D of every unit; the sums over episodes of squares, by pool and (as far as a unit was drawn) by unit."""
        answers, x, pool = self.answers, self.weight, self.pool
        sizes = np.bincount(self.unit_of).astype(np.float64)
        pools, share = int(self.pool_of.max()) + 1, answers.way / self.classes
        met, unit, times = self._meetings()
        moved = np.bincount(unit, x[met] * times, len(sizes))
        moved -= np.bincount(pool, x * share, pools)[self._home] * sizes
        squared_sizes = np.bincount(self._home, sizes**2, pools)
        norms = np.bincount(met, times**2 - 2 * share[met] * times * sizes[unit], answers.episodes)
        own = np.bincount(pool, x * x * (norms + share**2 * squared_sizes[pool]), pools)
        squares = np.bincount(unit, (x[met] * times) ** 2, len(sizes))
        squares *= (own / np.maximum(np.bincount(self._home, squares, pools), TINY))[self._home]
        return moved, own, squares

    def _meetings(self) -> tuple[np.ndarray, np.ndarray, Float[np.ndarray, " meeting"]]:
        """Every unit of every episode: the episode, the unit, and how many of its classes were drawn."""
        units = int(self.unit_of.max()) + 1
        unit = self.unit_of[self.answers.class_row]
        if units == len(self.unit_of):  # each class is a unit of its own
            return self.answers.episode, unit, np.ones(len(unit))
        both, times = np.unique(self.answers.episode * units + unit, return_counts=True)
        return both // units, both % units, times.astype(np.float64)
