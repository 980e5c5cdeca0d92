"""Tails: what the mean over episodes hides. Scores are such that higher is better.

The mean of the worst share of episodes is the conditional value at risk (CVaR) of Rockafellar and Uryasev,
"Optimization of conditional value-at-risk", Journal of Risk 2, 2000; the share of episodes that reach a score is the
performance profile of Agarwal et al., "Deep reinforcement learning at the edge of the statistical precipice", NeurIPS
2021.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

Values = Float[np.ndarray, " episode"]
LEVELS = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
GRID = tuple(step / 20 for step in range(21))


@dataclass(frozen=True)
class Tails:
    """The lower end of the episodes' scores, and the whole of it in a few numbers."""

    worst_twentieth: float
    """Mean of the worst 5% of the episodes."""
    worst_tenth: float
    """Mean of the worst 10%: CVaR at 10%."""
    quantiles: dict[float, float]
    profile: dict[float, float]
    """For each score, the share of episodes that reach it."""


def tails_of(scores: Values) -> Tails:
    """The tails of the scores of all episodes."""
    quantiles = np.quantile(scores, LEVELS)
    return Tails(
        mean_of_worst(scores, 0.05),
        mean_of_worst(scores, 0.1),
        {level: float(value) for level, value in zip(LEVELS, quantiles, strict=True)},
        {least: float((scores >= least).mean()) for least in GRID},
    )


def mean_of_worst(scores: Values, share: float) -> float:
    """The mean of the worst share of the scores; the last one counts in part where that is not a whole number."""
    counted = share * len(scores)
    weights = np.clip(counted - np.arange(len(scores)), 0, 1)
    return float(np.sort(scores) @ weights / counted)
