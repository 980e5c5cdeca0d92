"""Would more episodes of the same images change the mean? The usual few-shot interval, and no more than that."""

import numpy as np
from jaxtyping import Float
from scipy import stats

from fairshot.statistics.estimate import LEVEL, Estimate, refuse


def over_episodes(scores: Float[np.ndarray, " episode"], level: float = LEVEL, *, difference: bool = False) -> Estimate:
    """Mean and t interval of the episodes' scores, which lie between 0 and 1, or of differences (D3)."""
    value = float(scores.mean())
    if len(scores) < 2:
        return refuse(value, "episodes", "one episode gives no interval", level)
    half = float(stats.t.ppf((1 + level) / 2, len(scores) - 1) * scores.std(ddof=1) / np.sqrt(len(scores)))
    low, high = value - half, value + half
    if not difference:
        low, high = max(low, 0.0), min(high, 1.0)
    return Estimate(value=value, low=low, high=high, level=level, method="t", population="episodes")
