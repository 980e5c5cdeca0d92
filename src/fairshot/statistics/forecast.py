"""A forecast: how likely is it that other classes show the other learner ahead?

The difference d that was found has the variance V between sets of as many classes, and that of drawing episodes, s. The
tail beyond d, Phi(-|d| / sqrt(V)), says how often other classes would show the other sign if d were the truth. It is no
forecast: d was found on the very classes that made it large. A forecast counts in that the truth may be nearer to 0:

    truth ~ N(0, (prior sqrt(V))^2)           before anything was seen: a difference of the size of chance is likeliest
    truth | d ~ N(w d, w (V + s)),            w = prior^2 V / (prior^2 V + V + s)
    new difference ~ N(w d, w (V + s) + V' + s)

where V' is the variance between sets of the new number of classes. V is itself an estimate with f degrees of freedom;
d is another look at it, as d^2 has the mean prior^2 V + V + s. Both together give the V that is used,

    V + s = (V + s) (f + d^2 / (prior^2 V + V + s)) / (f + 1),   and the tail is that of a t with f + 1 degrees

(exactly so for s = 0 and a flat prior on the logarithm of V). With `prior` 1 a difference of one standard deviation is
usual; where many learners are compared, their differences tell which prior is.
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
    """Between sets of units, as the jackknife has it: what pairs of units do together is counted twice in it."""
    sampling: float
    degrees: float
    units: int
    pairs: float = 0.0
    """The part of the variance that pairs of units add, once."""

    def at(self, units: float | int) -> float:
        """The variance between sets of another number of units."""
        pairs = min(max(self.pairs, 0.0), self.variance / 4)
        if not pairs or units <= 1:
            return self.variance * self.units / units
        single = (self.variance - 2 * pairs) * self.units / units
        return single + pairs * self.units * (self.units - 1) / (units * (units - 1))

    def scaled(self, factor: float) -> "Between":
        """The same with another variance between units."""
        return replace(self, variance=factor * self.variance, pairs=factor * self.pairs)


@dataclass(frozen=True)
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
    """How likely `units` others, or as many as there were, show the other sign."""
    count, plug_in = float(between.units if units is None else units), between
    if between.variance > 0:
        between = _second_look(difference, between, prior)
    reach = _reach(difference, between, count, prior)
    chance = float(special.stdtr(between.degrees, reach))
    factors = [between.degrees / special.chdtri(between.degrees, end) for end in ENDS]
    ends = [float(special.ndtr(_reach(difference, between.scaled(factor), count, prior))) for factor in factors]
    if_true = flip_chance(difference, plug_in.at(count))
    return Forecast(chance, min(*ends, chance), max(*ends, chance), prior, count, if_true)


def flip_chance(gap: float, variance: float) -> float:
    """How often sets of units show the other sign, if `gap` is the true difference."""
    if variance <= 0:
        return 0.0 if gap else 0.5
    return float(special.ndtr(-abs(gap) / np.sqrt(variance)))


def _second_look(difference: float, between: Between, prior: float) -> Between:
    """What the difference itself tells about the variance, added to what is known of it."""
    total = between.variance + between.sampling
    believed = (prior**2 * between.variance + total) / total
    seen = total * (between.degrees + difference**2 / (believed * total)) / (between.degrees + 1)
    factor = max(seen - between.sampling, LEAST_LEFT * between.variance) / between.variance
    return replace(between.scaled(factor), degrees=between.degrees + 1)


def _reach(difference: float, between: Between, units: float, prior: float) -> float:
    """The other sign is so many standard deviations below what is predicted."""
    believed, seen = prior**2 * between.variance, between.variance + between.sampling
    weight = believed / (believed + seen) if between.variance > 0 else 1.0
    spread = (weight if between.variance > 0 else 0.0) * seen + between.at(units) + between.sampling
    if spread <= 0:
        return -np.inf if difference else 0.0
    return float(-weight * abs(difference) / np.sqrt(spread))


def estimate_prior(differences: Sequence[float], betweens: Sequence[Between]) -> float:
    """How large true differences are, in units of what chance does, where many learners are compared.

    From the median, so that one hopeless learner does not make all others look surely different.
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
