"""A forecast: how likely is it that other classes show the other learner ahead?

The tail beyond the difference that was found says how often other classes would show the other sign if it were the
truth. It is no forecast: the difference was found on the very classes that made it large. A forecast counts in that the
truth may be nearer to 0, by a prior that is part of the answer. Equations (D54) to (D59) of docs/derivation.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy import special

SCEPTICAL = 1.0  # the prior where nothing is known: true differences are about as large as those by chance
LEAST_PRIOR, LARGEST_PRIOR = 0.5, 3.0  # estimates of it are uncertain, and beyond these they change little
FEWEST_PAIRS = 10  # of five learners, before the prior is estimated
MEDIAN_SQUARE = 0.4549  # the median of the square of a standard normal number
LEAST_LEFT = 0.1  # of the variance between units, however small the difference is
ENDS = (0.025, 0.975)  # of the distribution of the variance, for the interval of a probability


@dataclass(frozen=True)
class Between:
    """How a difference varies between sets of as many units, and between draws of as many episodes."""

    variance: float
    """Between sets of units."""
    sampling: float
    degrees: float
    units: int
    pairs: float = 0.0
    """The part of the variance that pairs of units add."""

    def at(self, units: float | int) -> float:
        """The variance between sets of another number of units (D54)."""
        pairs = min(max(self.pairs, 0.0), self.variance / 4)
        if not pairs or units <= 1:
            return self.variance * self.units / units
        single = (self.variance - pairs) * self.units / units
        return single + pairs * self.units * (self.units - 1) / (units * (units - 1))

    def scaled(self, factor: float) -> "Between":
        """The same with another variance between units."""
        return replace(self, variance=factor * self.variance, pairs=factor * self.pairs)


@dataclass(frozen=True, kw_only=True)
class Forecast:
    """The probability that other units show the other sign, with an interval for what the variance may be."""

    probability: float
    low: float
    high: float
    prior: float
    units: float
    if_true: float
    """The same if the difference that was found were the truth: not a forecast, as it ignores that it may not be."""


def forecast(
    difference: float, between: Between, *, units: float | int | None = None, prior: float = SCEPTICAL
) -> Forecast:
    """How likely `units` others, or as many as there were, show the other sign (D57)."""
    count = float(between.units if units is None else units)
    if_true = flip_chance(difference, between.at(count))
    if between.variance > 0:
        between = _second_look(difference, between, prior)
    reach = _reach(difference, between, count, prior)
    chance = float(special.stdtr(between.degrees, reach))
    factors = [between.degrees / special.chdtri(between.degrees, end) for end in ENDS]
    ends = [float(special.ndtr(_reach(difference, between.scaled(factor), count, prior))) for factor in factors]
    return Forecast(
        probability=chance, low=min(*ends, chance), high=max(*ends, chance), prior=prior, units=count, if_true=if_true
    )


def flip_chance(gap: float, variance: float) -> float:
    """How often sets of units show the other sign, if `gap` is the true difference (D58)."""
    if variance <= 0:
        return 0.0 if gap else 0.5
    return float(special.ndtr(-abs(gap) / np.sqrt(variance)))


def _second_look(difference: float, between: Between, prior: float) -> Between:
    """What the difference itself says about the variance, added to what is known of it (D56)."""
    total = between.variance + between.sampling
    expected_square = prior**2 * between.variance + total
    updated = total * (between.degrees + difference**2 / expected_square) / (between.degrees + 1)
    factor = max(updated - between.sampling, LEAST_LEFT * between.variance) / between.variance
    return replace(between.scaled(factor), degrees=between.degrees + 1)


def _reach(difference: float, between: Between, units: float, prior: float) -> float:
    """How many standard deviations the other sign lies below what is predicted (D55)."""
    of_truth, of_chance = prior**2 * between.variance, between.variance + between.sampling
    weight = of_truth / (of_truth + of_chance) if between.variance > 0 else 1.0
    doubt_of_truth = weight * of_chance if between.variance > 0 else 0.0
    predicted = doubt_of_truth + between.at(units) + between.sampling
    if predicted <= 0:
        return -np.inf if difference else 0.0
    return float(-weight * abs(difference) / np.sqrt(predicted))


def estimate_prior(differences: Sequence[float], betweens: Sequence[Between]) -> float:
    """How large true differences are, in units of what chance does, where many learners are compared.

    From the median (D59), so that one hopeless learner does not make all others look surely different.
    """
    squares = [
        difference**2 / (between.variance + between.sampling)
        for difference, between in zip(differences, betweens, strict=True)
        if between.variance > 0
    ]
    if len(squares) < FEWEST_PAIRS:
        return SCEPTICAL
    excess = max(float(np.median(squares)) / MEDIAN_SQUARE - 1, 0.0)
    return float(np.clip(np.sqrt(excess), LEAST_PRIOR, LARGEST_PRIOR))
