"""An Estimate: a value with an interval that names its population, or the reason why there is none."""

from dataclasses import dataclass

import numpy as np
from scipy import stats

LEVEL = 0.95
LEAST_FREEDOM = 5.0  # a variance estimated near 0 would else claim one or two degrees of freedom and needless width
TRUSTED_NOISE = 0.5  # above this share of the variance the variance itself is guesswork
GOOD_NOISE = 0.25  # what more episodes should bring it down to: about 32 degrees of freedom


@dataclass(frozen=True)
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

    @property
    def interval(self) -> tuple[float, float] | None:
        """Low and high, or nothing."""
        return None if self.low is None or self.high is None else (self.low, self.high)


@dataclass(frozen=True)
class Spread:
    """The variance of a mean over one population: what the population adds, and what drawing episodes adds."""

    value: float
    population: str
    variance: float
    """Between populations of this size; unbiased, so it may come out below 0."""
    sampling: float
    """Between draws of as many episodes."""
    noise: float
    """Standard deviation of `variance` itself, given the data."""
    freedom: float
    """Degrees of freedom that the population's units give."""
    episodes: int

    @property
    def total(self) -> float:
        """The variance of the mean."""
        return max(self.variance, 0.0) + self.sampling

    @property
    def degrees(self) -> float:
        """Degrees of freedom of the total, after Satterthwaite."""
        own = max(self.variance, 0.0)
        doubt = self.noise**2 + 2 * own**2 / self.freedom + 2 * self.sampling**2 / max(self.episodes - 1, 1)
        return max(float(2 * self.total**2 / doubt), self._least) if doubt > 0 else self._least

    @property
    def _least(self) -> float:
        """The fewest degrees of freedom: no more than the units and the episodes have."""
        return max(min(LEAST_FREEDOM, self.freedom, self.episodes - 1.0), 1.0)

    @property
    def p_value(self) -> float:
        """How often a difference as large would come about if there were none, two-sided."""
        if self.total == 0:
            return 1.0 if self.value == 0 else 0.0
        return float(2 * stats.t.sf(abs(self.value) / np.sqrt(self.total), self.degrees))

    def needed_episodes(self, share: float = GOOD_NOISE) -> int:
        """Episodes that bring the variance's own noise down to this share of it."""
        plausible = max(self.variance, self.noise)  # drowned in noise, it may well be as large as the noise
        scale = 1.0
        # The noise falls between 1 / T and 1 / sqrt(T): its two parts fall as one and as the other.
        while self.noise * scale**0.75 > share * (plausible + self.sampling * scale):
            scale /= np.sqrt(2)
        return int(self.episodes / scale)

    def estimate(self, level: float = LEVEL, *, difference: bool = False) -> Estimate:
        """The interval, on the logit scale for a score between 0 and 1; refused where the variance is guesswork."""
        if self.noise > TRUSTED_NOISE * self.total:
            reason = f"{self.episodes:,} episodes are not enough: about {self.needed_episodes():,} are needed"
            return refuse(self.value, self.population, reason, level)
        if self.total == 0 and not difference:
            return refuse(self.value, self.population, "all episodes score the same: nothing varies", level)
        bounded = not difference and 0 < self.value < 1
        # Near 0 and 1 only the few units that differ from the rest tell anything.
        telling = self.freedom * 4 * self.value * (1 - self.value) if bounded else np.inf
        degrees = max(min(self.degrees, telling), self._least)
        half = float(stats.t.ppf((1 + level) / 2, degrees) * np.sqrt(self.total))
        if not bounded:
            return Estimate(self.value, self.value - half, self.value + half, level, "pairs, t", self.population)
        middle, reach = np.log(self.value / (1 - self.value)), half / (self.value * (1 - self.value))
        low, high = (float(1 / (1 + np.exp(-(middle + side)))) for side in (-reach, reach))
        return Estimate(self.value, low, high, level, "pairs, logit t", self.population)


def refuse(value: float, population: str, reason: str, level: float = LEVEL) -> Estimate:
    """A value without an interval."""
    return Estimate(value, None, None, level, "none", population, reason)
