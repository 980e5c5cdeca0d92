"""What leaving out each unit does to the mean, and the variance that follows: a jackknife by products of episodes.

A unit is what a fresh benchmark would have others of: an image, a group of images, a class, a parent. The equation
numbers (D1), (D2), ... here and in the other modules are those of docs/derivation.md.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from fairshot.statistics.answers import Answers
from fairshot.statistics.estimate import Spread

TINY = 1e-300  # keeps a quotient of two zeros from being no number

PerUnit = Float[np.ndarray, " unit"]
PerStratum = Float[np.ndarray, " stratum"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Influence:
    """How far leaving out each unit would move the mean, summed over episodes.

    Units are drawn in strata: images within their class, classes within their parent where episodes stay in one.
    """

    sums: PerUnit
    """D of (D6)."""
    squares: PerUnit
    """M of (D6), rescaled as in (D7) where a unit that is not drawn moves the mean, too."""
    square_totals: PerStratum
    """G of (D6): all squares of a stratum."""
    stratum: Int[np.ndarray, " unit"]
    sizes: Int[np.ndarray, " stratum"]
    """How many units each stratum has."""
    scale: PerStratum
    """kappa of (D5)."""
    fourths: PerUnit | None = None
    """Sums of fourth powers, where units are so many that it matters."""

    @property
    def variance_by_stratum(self) -> PerStratum:
        """The variance of the mean that each stratum adds, but for the factor T / (T - 1) of (D5)."""
        return self.scale * (np.bincount(self.stratum, self.sums**2, len(self.scale)) - self.square_totals)

    @property
    def noise(self) -> float:
        """The standard deviation of the variance, given the data: (D8), or (D9) without fourth powers."""
        scale = self.scale[self.stratum] ** 2
        if self.fourths is None:
            excess = np.maximum(self.sums**2 - self.squares, 0)
            return float(np.sqrt((scale * (2 * self.squares**2 + 4 * excess * self.squares)).sum()))
        pairs = 2 * (scale * np.maximum(self.squares**2 - self.fourths, 0)).sum()
        single = 4 * max((scale * (self.sums**2 - self.squares) * self.squares).sum(), 0.0)
        return float(np.sqrt(pairs + single))

    @property
    def unit_degrees(self) -> float:
        """Degrees of freedom that the units give (D10)."""
        positive = np.maximum(self.variance_by_stratum, 0)
        doubt = (positive**2 / np.maximum(self.sizes - 1, 1)).sum()
        return max(float(max(positive.sum(), TINY) ** 2 / max(doubt, TINY)), 1.0)

    def spread(self, answers: Answers, population: str, unit_degrees: float | None = None) -> Spread:
        """The spread of the mean over fresh units (D2), (D5)."""
        episodes, scores = answers.episodes, answers.scores
        return Spread(
            value=float(scores.mean()),
            population=population,
            variance=float(self.variance_by_stratum.sum()) * episodes / (episodes - 1),
            sampling=float(scores.var(ddof=1)) / episodes,
            noise=self.noise,
            unit_degrees=self.unit_degrees if unit_degrees is None else unit_degrees,
            episodes=episodes,
        )
