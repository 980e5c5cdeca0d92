"""Do two critics, or two measures, order the same classes alike?"""

import math
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from scipy import stats

from fairshot.runtime.errors import FairshotError
from fairshot.statistics.estimate import LEVEL, Estimate, refuse

LEAST = 10  # classes or parents below which an interval promises more than it holds
TINY = 1e-12

Values = Float[np.ndarray, " class"]


@dataclass(frozen=True)
class Agreement:
    """Rank and linear correlation of two numbers a class, each with an interval for other classes of the same kind."""

    classes: int
    spearman_p: float
    pearson_p: float
    estimates: dict[str, Estimate]
    """`spearman`, `pearson` and `r_squared`, the share of the variance that a straight line explains."""

    @property
    def spearman(self) -> float:
        """The correlation of ranks."""
        return self.estimates["spearman"].value

    @property
    def r_squared(self) -> float:
        """The share of the variance that a straight line explains."""
        return self.estimates["r_squared"].value


def agreement(
    one: Values,
    other: Float[np.ndarray, " other_class"],
    parents: Int[np.ndarray, " class"] | None = None,
    level: float = LEVEL,
) -> Agreement | str:
    """The agreement of two numbers for each of the same classes, or why nothing can be said.

    Intervals are for other classes, or, where they come in parents, for other parents with classes of their own.
    """
    if len(one) != len(other):
        raise FairshotError(f"{len(one)} and {len(other)} classes cannot be compared: give the same classes for both")
    if len(one) < 3:
        return f"{len(one)} classes are too few for a correlation"
    if np.ptp(one) == 0 or np.ptp(other) == 0:
        return "all classes have the same value: there is no order"
    rank, line = stats.spearmanr(one, other), stats.pearsonr(one, other)
    units = np.arange(len(one)) if parents is None else np.unique(parents, return_inverse=True)[1]
    population = "classes" if parents is None else "parents"
    estimates = {
        "spearman": _jackknifed(one, other, units, population, level, ranks=True),
        "pearson": _jackknifed(one, other, units, population, level, ranks=False),
    }
    return Agreement(
        len(one), float(rank[1]), float(line[1]), estimates | {"r_squared": squared(estimates["pearson"], level)}
    )


def _jackknifed(
    one: Values, other: Values, units: Int[np.ndarray, " class"], population: str, level: float, *, ranks: bool
) -> Estimate:
    """On Fisher's scale, by leaving out one unit after another: it needs no normal values, and ties do no harm."""
    value, number = float(_correlations(one[None], other[None], ranks=ranks)[0]), int(units.max()) + 1
    enough = number >= LEAST and abs(value) <= 1 - TINY
    without_one = _without_each(one, other, units, ranks=ranks) if enough else np.full(number, value)
    return jackknife_correlation(value, without_one, population, level)


def jackknife_correlation(
    value: float, without_one: Float[np.ndarray, " unit"], population: str, level: float = LEVEL
) -> Estimate:
    """A correlation with its interval on Fisher's scale, given what it is without each of the independent units."""
    number = len(without_one)
    if number < LEAST:
        return refuse(value, population, f"{number} {population} are too few for an interval", level)
    if abs(value) > 1 - TINY:
        return refuse(value, population, "all classes are in line", level)
    if not (np.abs(without_one) < 1).all():
        return refuse(value, population, "without one of them nothing can be told", level)
    half = float(stats.t.ppf((1 + level) / 2, number - 1)) * fisher_deviation(without_one)
    low, high = (math.tanh(math.atanh(value) + side) for side in (-half, half))
    return Estimate(value=value, low=low, high=high, level=level, method="jackknife, Fisher", population=population)


def fisher_deviation(without_one: Float[np.ndarray, " unit"]) -> float:
    """The standard deviation of a correlation on Fisher's scale, by what it is without each unit."""
    scaled, number = np.arctanh(without_one), len(without_one)
    return math.sqrt((number - 1) / number * float(((scaled - scaled.mean()) ** 2).sum()))


def _without_each(
    one: Values, other: Values, units: Int[np.ndarray, " class"], *, ranks: bool
) -> Float[np.ndarray, " unit"]:
    """The correlation of all classes but those of one unit, for each unit; units of one size at once."""
    sizes = np.bincount(units)
    found = np.empty(len(sizes))
    for size in np.unique(sizes):
        same = np.flatnonzero(sizes == size)
        kept = np.stack([np.flatnonzero(units != unit) for unit in same])
        found[same] = _correlations(one[kept], other[kept], ranks=ranks)
    return found


def _correlations(
    one: Float[np.ndarray, "row class"], other: Float[np.ndarray, "row class"], *, ranks: bool
) -> Float[np.ndarray, " row"]:
    """The correlation of each row, or of its ranks; what does not vary has none."""
    if ranks:
        one, other = stats.rankdata(one, axis=1), stats.rankdata(other, axis=1)
    one, other = (values - values.mean(axis=1, keepdims=True) for values in (one, other))
    with np.errstate(invalid="ignore"):
        return (one * other).sum(1) / np.sqrt((one**2).sum(1) * (other**2).sum(1))


def squared(line: Estimate, level: float = LEVEL) -> Estimate:
    """The square of a correlation; an interval around nothing begins there."""
    if line.interval is None:
        return refuse(line.value**2, line.population, line.reason, level)
    squares = [end**2 for end in line.interval]
    low = 0.0 if line.interval[0] < 0 < line.interval[1] else min(squares)
    return Estimate(
        value=line.value**2, low=low, high=max(squares), level=level, method=line.method, population=line.population
    )
