"""Do two critics, or two measures, order the same classes alike?"""

import math
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from scipy import stats

from fairshot.runtime.errors import FairshotError
from fairshot.statistics.estimate import LEVEL, Estimate, refuse

LEAST = 10  # classes below which an interval promises more than it holds
TINY = 1e-12


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

    @property
    def estimates(self) -> dict[str, Estimate]:
        """For other classes of the same kind: Fisher's z, for ranks with the variance of Bonett and Wright (2000)."""
        ranks = self._ends(self.spearman, 1 + self.spearman**2 / 2)
        line = self._ends(self.pearson, 1.0)
        crosses = line is not None and line[0] < 0 < line[1]
        squares = line and (0.0 if crosses else min(end**2 for end in line), max(end**2 for end in line))
        told = {"spearman": (self.spearman, ranks), "pearson": (self.pearson, line)}
        return {name: self._estimate(*each) for name, each in (told | {"r_squared": (self.r_squared, squares)}).items()}

    def _ends(self, correlation: float, variance: float) -> tuple[float, float] | None:
        if self.classes < LEAST or abs(correlation) > 1 - TINY:
            return None
        half = float(stats.norm.ppf((1 + LEVEL) / 2)) * math.sqrt(variance / (self.classes - 3))
        return math.tanh(math.atanh(correlation) - half), math.tanh(math.atanh(correlation) + half)

    def _estimate(self, value: float, ends: tuple[float, float] | None) -> Estimate:
        if ends is not None:
            return Estimate(value, *ends, LEVEL, "Fisher", "classes")
        few = f"{self.classes} classes are too few for an interval"
        return refuse(value, "classes", few if self.classes < LEAST else "all classes are in line", LEVEL)


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
