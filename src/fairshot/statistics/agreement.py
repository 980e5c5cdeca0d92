"""Do two critics, or two measures, order the same classes alike?"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from scipy import stats

from fairshot.runtime.errors import FairshotError


@dataclass(frozen=True)
class Agreement:
    """Rank and linear correlation of two numbers a class."""

    classes: int
    spearman: float
    spearman_p: float
    pearson: float
    pearson_p: float

    @property
    def r_squared(self) -> float:
        """The share of the variance that a straight line explains."""
        return self.pearson**2


def agreement(one: Float[np.ndarray, " class"], other: Float[np.ndarray, " other_class"]) -> Agreement | str:
    """Of two numbers for each of the same classes, or why nothing can be said."""
    if len(one) != len(other):
        raise FairshotError(f"{len(one)} and {len(other)} classes cannot be compared: give the same classes for both")
    if len(one) < 3:
        return f"{len(one)} classes are too few for a correlation"
    if np.ptp(one) == 0 or np.ptp(other) == 0:
        return "all classes have the same value: there is no order"
    rank, line = stats.spearmanr(one, other), stats.pearsonr(one, other)
    return Agreement(len(one), float(rank[0]), float(rank[1]), float(line[0]), float(line[1]))
