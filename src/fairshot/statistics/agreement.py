"""Do two critics, or two measures, order the same classes alike?"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from scipy import stats

from fairshot.runtime.errors import FairshotError
from fairshot.statistics.estimate import LEVEL, Estimate, refuse

LEAST = 10  # classes below which an interval promises more than it holds


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

    def estimate(self, level: float = LEVEL) -> Estimate:
        """The rank correlation over fresh classes: Fisher's interval with the variance of Bonett and Wright (2000)."""
        if self.classes < LEAST:
            return refuse(self.spearman, "classes", f"{self.classes} classes are too few for an interval", level)
        if abs(self.spearman) > 1 - 1e-12:
            return refuse(self.spearman, "classes", "both order all classes alike, or the other way round", level)
        half = stats.norm.ppf((1 + level) / 2) * np.sqrt((1 + self.spearman**2 / 2) / (self.classes - 3))
        low, high = (float(np.tanh(np.arctanh(self.spearman) + side)) for side in (-half, half))
        return Estimate(self.spearman, low, high, level, "Fisher, Bonett and Wright", "classes")


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
