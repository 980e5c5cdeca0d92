"""Would other units change the mean? Each unit is one class, or several classes that share what makes them hard.

An episode draws some classes of a pool: of all classes, or of one parent. Leaving out a unit leaves the episodes that
drew none of its classes; `left_out_weights` says how much each episode then counts. Equations (D25) to (D29) of
docs/derivation.md.
"""

from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from jaxtyping import Bool, Float, Int

from fairshot.statistics.answers import Answers
from fairshot.statistics.estimate import Spread
from fairshot.statistics.intervals.influence import TINY, Influence

WIDEST = 0.8  # at variable way, episodes with more than this share of all classes tell too little about the others
UNEVEN = 8.0  # standard deviations above what drawing classes equally often would give
FEWEST = 0.05  # of the episodes must be usable
FLAT = 1e-9  # a determinant below this share of its terms is 0 but for rounding

PerEpisode = Float[np.ndarray, " episode"]
PerMeeting = Float[np.ndarray, " meeting"]
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
    spread = draws.influence().spread(answers, population)
    if spread.guesswork and draws.unit_size.max() > 1:
        return replace(draws, straight=True).influence().spread(answers, population)
    return spread


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
    straight: bool = False
    """Whether weights are a straight line in the number of drawn classes: less exact, and far less noisy."""

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
    def kind(self) -> Int[np.ndarray, " episode"]:
        """The same number for all episodes of one pool and one way."""
        return self.pool * (int(self.answers.way.max()) + 1) + self.answers.way

    @cached_property
    def centred_scores(self) -> PerEpisode:
        """Each episode's score around the mean of its kind: x of (D25); 0 where not usable."""
        scores, kind = self.answers.scores, self.kind
        times = np.bincount(kind)
        centred = scores - (np.bincount(kind, scores) / np.maximum(times, 1))[kind]
        centred *= np.sqrt(times / np.maximum(times - 1, 1))[kind]
        return np.where(self.usable, centred, 0) / self.usable.mean()

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

    @cached_property
    def _met_weights(self) -> tuple[PerMeeting, PerMeeting]:
        """The weight of the episode of each meeting if its unit is left out, and what it would be without a meeting."""
        met = self.meetings
        first, number = self._meeting_kinds
        way, pool_size = self.answers.way[met.episode[first]], self.pool_size[met.episode[first]]
        weights = partial(left_out_weights, pool_size, way, self.unit_size[met.unit[first]], straight=self.straight)
        drawn = met.classes[first]
        return weights(drawn)[number], weights(np.zeros_like(drawn))[number]

    @property
    def _meeting_kinds(self) -> tuple[Int[np.ndarray, " kind"], Int[np.ndarray, " meeting"]]:
        """The first meeting of each kind, and the kind of each meeting: the same weights for the same kind."""
        met = self.meetings
        most = int(self.unit_size.max()) + 1
        code = (self.kind[met.episode] * most + self.unit_size.astype(np.int64)[met.unit]) * most
        code += met.classes.astype(np.int64)
        if code.max() > len(code):
            return np.unique(code, return_index=True, return_inverse=True)[1:]
        first = np.zeros(int(code.max()) + 1, dtype=np.int64)
        first[code[::-1]] = np.arange(len(code))[::-1]
        present = np.flatnonzero(np.bincount(code))
        number = np.zeros(len(first), dtype=np.int64)
        number[present] = np.arange(len(present))
        return first[present], number[code]

    def _sums(self) -> PerUnit:
        """D of (D26), around the mean of the pool; episodes that met no class of a unit cancel, kind by kind."""
        met, (weights, unmet) = self.meetings, self._met_weights
        sums = np.bincount(met.unit, self.centred_scores[met.episode] * (weights - unmet), len(self.unit_size))
        sizes = np.bincount(self.pool_of_unit, minlength=self.pools)
        return sums - (np.bincount(self.pool_of_unit, sums, self.pools) / np.maximum(sizes, 1))[self.pool_of_unit]

    def _square_totals(self) -> PerPool:
        """G of (D27): the sum over episodes and units of squares, multiplied out so that it runs over meetings only."""
        met, (weights, unmet), episodes = self.meetings, self._met_weights, self.answers.episodes
        without, without_squares = self._weights_without_meetings()
        total = without + np.bincount(met.episode, weights - unmet, episodes)
        squares = without_squares + np.bincount(met.episode, weights**2 - unmet**2, episodes)
        units = np.bincount(self.pool_of_unit, minlength=self.pools)[self.pool]
        return np.bincount(self.pool, self.centred_scores**2 * (squares - total**2 / units), self.pools)

    def _weights_without_meetings(self) -> tuple[PerEpisode, PerEpisode]:
        """The sum over the units of its pool of the weight that an episode would have, had it met none; of squares."""
        sums, squares = np.zeros(self.answers.episodes), np.zeros(self.answers.episodes)
        for kind in np.unique(self.kind):
            of_kind = np.flatnonzero(self.kind == kind)
            first = of_kind[0]
            sizes = self.unit_size[self.pool_of_unit == self.pool[first]]
            way, pool_size = np.full(sizes.shape, self.answers.way[first]), np.full(sizes.shape, self.pool_size[first])
            weights = left_out_weights(pool_size, way, sizes, np.zeros(sizes.shape), straight=self.straight)
            sums[of_kind], squares[of_kind] = weights.sum(), (weights**2).sum()
        return sums, squares

    def _squares(self, totals: PerPool) -> PerUnit:
        """M of (D28): the squares of the meetings of each unit, rescaled to the totals of their pools."""
        met, (weights, unmet) = self.meetings, self._met_weights
        terms = (self.centred_scores[met.episode] * (weights - unmet)) ** 2
        squares = np.bincount(met.unit, terms, len(self.unit_size))
        by_pool = np.bincount(self.pool_of_unit, squares, self.pools)
        return squares * (totals / np.maximum(by_pool, TINY))[self.pool_of_unit]


def left_out_weights(
    pool_size: PerMeeting,
    way: Int[np.ndarray, " meeting"],
    unit_size: PerMeeting,
    drawn: PerMeeting,
    *,
    straight: bool = False,
) -> PerMeeting:
    """How much more an episode counts when a unit is left out, if it drew so many of the unit's classes (D26).

    Only episodes without a class of the unit would be left, which are few at a large way. Scores are made of what
    single classes and pairs of classes do, to a good approximation, and for such scores the straight line and parabola
    that is nearest to those weights gives the same mean, from all episodes. The line alone (`straight`) does so
    for what single classes do.
    """
    single, pairs, triples, fours = _expected_subsets(pool_size, way, unit_size)
    single_variance = single + 2 * pairs - single**2
    pair_variance = pairs + 6 * triples + 6 * fours - pairs**2
    covariance = 2 * pairs + 3 * triples - single * pairs
    determinant = single_variance * pair_variance - covariance**2
    varies = single_variance > FLAT * single  # else all episodes draw as many
    parabola = (
        varies & (not straight) & (determinant > FLAT * single_variance * pair_variance)
    )  # else they draw one of two numbers
    determinant = np.where(parabola, determinant, 1.0)
    slope = np.where(varies, -single / np.where(varies, single_variance, 1.0), 0.0)
    slope = np.where(parabola, (covariance * pairs - pair_variance * single) / determinant, slope)
    curvature = np.where(parabola, (covariance * single - single_variance * pairs) / determinant, 0.0)
    return slope * (drawn - single) + curvature * (drawn * (drawn - 1) / 2 - pairs)


def _expected_subsets(
    pool_size: PerMeeting, way: Int[np.ndarray, " meeting"], unit_size: PerMeeting
) -> tuple[PerMeeting, PerMeeting, PerMeeting, PerMeeting]:
    """How many classes, pairs, triples and fours of a unit an episode has on average: e of (D26)."""
    expected = [np.ones_like(unit_size)]
    for taken in range(4):
        more = np.maximum(way - taken, 0) * np.maximum(unit_size - taken, 0)
        expected.append(expected[-1] * more / (taken + 1) / np.maximum(pool_size - taken, 1))
    return expected[1], expected[2], expected[3], expected[4]
