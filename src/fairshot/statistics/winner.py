"""The winner's curse: how much does the best of many candidates owe to luck, and what would an honest choice give?

Candidates have means and a covariance over fresh items. Choosing on a share of the items and judging on the rest, again
and again, is honest: what chose and what judges are independent. For means that are nearly normal the average over all
such divisions needs no division: noise is added to the means to choose, and taken away to judge, so that both are
independent (the same as data fission). Equations (D82) to (D85) of docs/derivation.md.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from jaxtyping import Float
from scipy import special, stats

from fairshot.runtime.seeds import Stream
from fairshot.statistics.estimate import LEVEL, Estimate

DRAWS = 20_000  # pairs of opposite noises: the honest score is then known to a hundredth of its standard deviation
NUMBERS = 1 << 22  # drawn at most, however many candidates there are
MOST_SHARE = 0.8  # of the items are chosen on, as in five folds: more leave little to judge by

Means = Float[np.ndarray, " candidate"]
Covariance = Float[np.ndarray, "candidate candidate"]


@dataclass(frozen=True)
class Choice:
    """What a rule of choice would have given."""

    value: float
    """The expected score, on other items, of what it chooses."""
    shares: tuple[float, ...]
    """How often it chooses each candidate."""


@dataclass(frozen=True, eq=False)
class Contest:
    """Candidates that were all scored on the same items; higher is better."""

    means: Means
    covariance: Covariance
    degrees: float = np.inf
    seed: int = 0

    @property
    def winner(self) -> int:
        """The best on these items, the first of equals."""
        return int(np.argmax(self.means))

    def centred(self) -> "Contest":
        """The same without what all candidates have in common: how far each is ahead of the mean of all (D85).

        The same candidates win, and the winner owes as much to luck on average; but items that are easy for all, which
        nobody chose by, no longer blur how much that is.
        """
        centre = np.eye(len(self.means)) - 1 / len(self.means)
        return replace(self, means=self.means - self.means.mean(), covariance=centre @ self.covariance @ centre)

    def honest(self, share: float = MOST_SHARE) -> Choice:
        """What choosing on a share of the items, and judging on the others, gives on average (D82)."""
        ratio, noise, total = np.sqrt((1 - share) / share), self._noise, 0.0
        counts, places = np.zeros(len(self.means)), np.arange(len(noise))
        for sign in (1.0, -1.0):
            chosen = np.argmax(self.means + sign * ratio * noise, axis=1)
            total += float((self.means[chosen] - sign * noise[places, chosen] / ratio).sum())
            counts += np.bincount(chosen, minlength=len(counts))
        drawn = 2 * len(noise)
        return Choice(total / drawn, tuple((counts / drawn).tolist()))

    @cached_property
    def _noise(self) -> Float[np.ndarray, "draw candidate"]:
        """Normal noise with the covariance of the means."""
        roots, vectors = np.linalg.eigh((self.covariance + self.covariance.T) / 2)
        count = len(self.means)
        normal = special.ndtri(Stream(self.seed, "winner").uniform(min(DRAWS, max(NUMBERS // count, 1)), count))
        return normal @ (vectors * np.sqrt(np.maximum(roots, 0.0))).T

    def interval(self, population: str, level: float = LEVEL) -> Estimate:
        """The winner's score on other items: the value of an honest choice, with an interval that holds for the winner.

        Whoever won, its mean is too high by no more than the largest error of all candidates, and too low by no more
        than the error of the truly best: so below it reaches as far as all at once, above as far as one (D83, D84).
        """
        mean, deviation = float(self.means[self.winner]), float(np.sqrt(self.covariance[self.winner, self.winner]))
        miss = (1 - level) / 2
        above = float(stats.t.isf(miss, self.degrees) if np.isfinite(self.degrees) else stats.norm.isf(miss))
        return Estimate(
            value=self.honest().value,
            low=mean - self._largest_error(miss) * deviation,
            high=mean + above * deviation,
            level=level,
            method="winner: all at once below, one above",
            population=population,
            deviation=deviation,
        )

    def _largest_error(self, miss: float) -> float:
        """How many deviations above its truth no candidate lies, but for this probability.

        Wider where the covariance has few degrees of freedom.
        """
        deviations = np.sqrt(np.diag(self.covariance))
        known = deviations > 0
        if not known.any():
            return 0.0
        largest = (self._noise[:, known] / deviations[known]).max(axis=1)
        reach = float(np.quantile(largest, 1 - miss))
        return reach if np.isinf(self.degrees) else float(stats.t.isf(special.ndtr(-reach), self.degrees))
