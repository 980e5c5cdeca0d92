"""An Estimate: a value with an interval that names its population."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from scipy import stats

LEVEL = 0.95


@dataclass(frozen=True)
class Estimate:
    """A mean and the interval that covers, with probability `level`, its value over the whole population."""

    value: float
    low: float
    high: float
    level: float
    method: str
    population: str


def over_episodes(scores: Float[np.ndarray, " episode"], level: float = LEVEL) -> Estimate:
    """The usual few-shot interval: would more episodes of the same images change the mean? No more than that."""
    value = float(scores.mean())
    if len(scores) < 2:
        return Estimate(value, float("nan"), float("nan"), level, "t", "episodes")
    half = float(stats.t.ppf((1 + level) / 2, len(scores) - 1) * scores.std(ddof=1) / np.sqrt(len(scores)))
    return Estimate(value, value - half, value + half, level, "t", "episodes")
