"""An Estimate: a value with an interval that names its population, or the reason why there is none.

Equations (D36) to (D43) of docs/derivation.md.
"""

from dataclasses import dataclass

import numpy as np
from scipy import special, stats

LEVEL = 0.95
LEAST_DEGREES = 5.0  # a variance estimated near 0 would else claim one or two degrees of freedom and needless width
TRUSTED_NOISE = 0.5  # above this share of the variance the variance itself is guesswork
GOOD_NOISE = 0.25  # what more episodes should bring it down to: about 32 degrees of freedom
UNSEEN = 0.07  # a share of hopeless classes is ruled out when it would have stayed unseen no more often than this
ROUNDING = 1e-9  # the width of an interval, in shares, that sums of equal scores may leave
FEW_UNITS, MANY_UNITS = 60, 120  # how many classes are guarded in full, and from how many on none have to be


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """A mean and the interval that covers, with probability `level`, its value over the whole population."""

    value: float
    low: float | None
    high: float | None
    level: float
    method: str
    population: str
    reason: str = ""
    """Why there is no interval."""
    deviation: float | None = None
    """The standard deviation of the value over the population, where there is an interval."""

    @property
    def interval(self) -> tuple[float, float] | None:
        """Low and high, or nothing."""
        return None if self.low is None or self.high is None else (self.low, self.high)


@dataclass(frozen=True, kw_only=True)
class Spread:
    """The variance of a mean over one population: what the population adds, and what drawing episodes adds (D2)."""

    value: float
    population: str
    variance: float
    """Between populations of this size; unbiased, so it may come out below 0."""
    sampling: float
    """Between draws of as many episodes."""
    noise: float
    """Standard deviation of `variance` itself, given the data."""
    unit_degrees: float
    """Degrees of freedom that the population's units give."""
    episodes: int
    units: int = 0
    """How many classes the mean is over, where one that was not drawn could be hopeless; 0 where none could."""

    @property
    def total(self) -> float:
        """The variance of the mean (D36)."""
        return max(self.variance, 0.0) + self.sampling

    @property
    def deviation(self) -> float:
        """The standard deviation of the mean."""
        return float(np.sqrt(self.total))

    @property
    def guesswork(self) -> bool:
        """Whether the variance is too noisy to be worth an interval."""
        return bool(self.noise > TRUSTED_NOISE * self.total)

    @property
    def degrees(self) -> float:
        """Degrees of freedom of the total, after Satterthwaite (D37)."""
        between = max(self.variance, 0.0)
        doubt = self.noise**2 + 2 * between**2 / self.unit_degrees + 2 * self.sampling**2 / max(self.episodes - 1, 1)
        return max(float(2 * self.total**2 / doubt), self._least_degrees) if doubt > 0 else self._least_degrees

    @property
    def _least_degrees(self) -> float:
        """The fewest degrees of freedom: no more than the units and the episodes have (D37)."""
        return max(min(LEAST_DEGREES, self.unit_degrees, self.episodes - 1.0), 1.0)

    @property
    def p_value(self) -> float:
        """How often a difference as large would come about if there were none, two-sided (D47)."""
        if self.total == 0:
            return 1.0 if self.value == 0 else 0.0
        return float(2 * stats.t.sf(abs(self.value) / np.sqrt(self.total), self.degrees))

    def needed_episodes(self, share: float = GOOD_NOISE) -> int:
        """Episodes that bring the variance's own noise down to this share of it (D41).

        A variance below its own noise is taken to be as large as that: no fewer episodes can do.
        """
        plausible = max(self.variance, self.noise)  # drowned in noise, it may well be as large as the noise
        scale = 1.0
        # The noise falls between 1 / T and 1 / sqrt(T): its two parts fall as one and as the other.
        while self.noise * scale**0.75 > share * (plausible + self.sampling * scale):
            scale /= np.sqrt(2)
        return int(self.episodes / scale)

    def estimate(self, level: float = LEVEL, *, difference: bool = False, worst: float | None = None) -> Estimate:
        """The interval, on the logit scale for a score between 0 and 1; refused where the variance is guesswork.

        `worst` is the score of a hopeless class; with it, the interval reaches as far as classes like that, too rare
        to be among the few that were drawn, would move the mean.
        """
        if self.guesswork:
            sure = "about" if self.variance > self.noise else "at least"  # drowned in noise, it only has a bound
            reason = f"{self.episodes:,} episodes are not enough: {sure} {self.needed_episodes():,} are needed"
            return refuse(self.value, self.population, reason, level)
        if self.total == 0 and not difference:
            return refuse(self.value, self.population, "all episodes score the same: nothing varies", level)
        if difference or not 0 < self.value < 1:
            half = float(stats.t.ppf((1 + level) / 2, self.degrees)) * self.deviation  # (D38)
            return self._estimate(self.value - half, self.value + half, level, "pairs, t")
        return self._logit_estimate(level, worst)

    def _logit_estimate(self, level: float, worst: float | None) -> Estimate:
        """The interval on the logit scale (D39), with fewer degrees of freedom near 0 and 1 (D40)."""
        # Near 0 and 1 only the few units that differ from the rest tell anything.
        degrees = max(min(self.degrees, self.unit_degrees * 4 * self.value * (1 - self.value)), self._least_degrees)
        middle, deviation = special.logit(self.value), self.deviation / (self.value * (1 - self.value))
        below, above = self._quantiles(level, degrees, deviation, worst)
        low, high = special.expit([middle - below * deviation, middle + above * deviation]).tolist()
        return self._estimate(low, high, level, "pairs, logit t")

    def _estimate(self, low: float, high: float, level: float, method: str) -> Estimate:
        return Estimate(
            value=self.value,
            low=low,
            high=high,
            level=level,
            method=method,
            population=self.population,
            deviation=self.deviation,
        )

    def _quantiles(self, level: float, degrees: float, deviation: float, worst: float | None) -> tuple[float, float]:
        """How many standard deviations the interval reaches down and up, on the logit scale (D43).

        Where hopeless classes may have stayed unseen, the side they are on reaches as far as they would move the mean.
        It then errs less often than it may, and the other side is shortened by as much: both together err at `level`.
        The means of classes are skewed towards the hopeless ones, so the other side has all degrees of freedom.
        """
        usual = float(stats.t.ppf((1 + level) / 2, degrees))
        if worst is None or not self.units:
            return usual, usual
        moved_mean = self.value + unseen_share(self.units) * (worst - self.value)
        reach = abs(float(special.logit(self.value) - special.logit(moved_mean))) / deviation
        if reach <= usual:
            return usual, usual
        shortened = float(stats.t.isf(1 - level - stats.t.sf(reach, self.degrees), self.degrees))
        return (reach, shortened) if worst < self.value else (shortened, reach)


def unseen_share(units: int) -> float:
    """The largest share of hopeless classes that as many drawn classes, none of them hopeless, cannot rule out (D42).

    This is the rule of three, about 3 / units. It fades out for large benchmarks, in which only shares so small that
    they hardly move the mean could stay unseen.
    """
    fade = min(max((MANY_UNITS - units) / (MANY_UNITS - FEW_UNITS), 0.0), 1.0)
    return float(fade * (1 - UNSEEN ** (1 / units)))


def has_width(interval: tuple[float, float]) -> bool:
    """Whether anything varied: both ends at the same number are no certainty, but no knowledge."""
    return interval[1] - interval[0] > ROUNDING


def refuse(value: float, population: str, reason: str, level: float = LEVEL) -> Estimate:
    """A value without an interval."""
    return Estimate(value=value, low=None, high=None, level=level, method="none", population=population, reason=reason)
