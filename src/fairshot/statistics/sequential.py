"""Looking again and again: an interval for the sampler that holds at every number of episodes at once.

An asymptotic confidence sequence (Waudby-Smith et al., Annals of Statistics 2024): whoever stops as soon as the
interval is narrow enough, or for any other reason, is covered as often as it says. It costs half as much width again.
"""

import numpy as np
from jaxtyping import Float
from scipy import stats

from fairshot.statistics.estimate import LEVEL, Estimate

FIRST_LOOK = 128  # episodes before which nothing asymptotic is to be trusted
TIGHTEST = 1000  # the number of episodes at which the sequence is narrowest beside the usual interval

Values = Float[np.ndarray, " episode"]


def at_any_time(scores: Values, level: float = LEVEL, *, difference: bool = False) -> Estimate:
    """Mean and interval of the episodes' scores so far, which lie between 0 and 1, or of differences."""
    value, half = float(scores.mean()), halfwidth(scores, level)
    low, high = value - half, value + half
    if not difference:
        low, high = max(low, 0.0), min(high, 1.0)
    return Estimate(value=value, low=low, high=high, level=level, method="confidence sequence", population="episodes")


def halfwidth(scores: Values, level: float = LEVEL) -> float:
    """Half the width of the interval that holds at every number of episodes at once (D44)."""
    bound = -2 * np.log(1 - level)
    tuning = (bound + np.log(bound) + 1) / TIGHTEST  # the free parameter: where the sequence is tightest
    count = len(scores)
    growth = count * tuning + 1
    square = 2 * growth / (count**2 * tuning) * np.log(np.sqrt(growth) / (1 - level))
    return float(scores.std(ddof=1) * np.sqrt(square))


def inflation(scores: Values, level: float = LEVEL) -> float:
    """How many times the variance of the sampler counts because one may have stopped anywhere (D45)."""
    deviation = float(scores.std(ddof=1) / np.sqrt(len(scores)))
    usual = stats.t.ppf((1 + level) / 2, len(scores) - 1) * deviation
    return (halfwidth(scores, level) / usual) ** 2 if usual > 0 else 1.0


def next_look(scores: list[Values], wanted: float, most: int) -> int:
    """How many episodes to have when looking next: about as many as the widest interval needs (D46)."""
    count = len(scores[0])
    widest = max(halfwidth(values) for values in scores)
    growth = min(max((widest / wanted) ** 2, 1.25), 4.0)
    return min(int(np.ceil(count * growth / 64)) * 64, most)
