"""Queries come in random order: sorted by class, their place tells the answer (a graph network learned it)."""

import numpy as np
from jaxtyping import Float
from scipy import stats

from fairshot.checks.answer_changes import SURE
from fairshot.checks.check import Case, DataCheck
from fairshot.checks.finding import Outcome
from fairshot.tables.words import count_of, percent
from fairshot.tasks.episodes import PAD, Episodes

LEAST, MOST = 32, 2_000_000  # episodes, and numbers looked at in one go


class Shuffle(DataCheck):
    """Looks for places that prefer a class, and for neighbours that prefer, or avoid, the same class."""

    def look(self, case: Case) -> tuple[Outcome, str]:
        """Two tests against random order."""
        episodes = case.drawn
        episodes = episodes[: max(LEAST, MOST // (episodes.query_ids.shape[1] * episodes.class_ids.shape[1]))]
        if not ((episodes.query_labels != PAD).sum(axis=1) > 1).any():
            return "not applicable", "an episode has too few queries to have an order"
        same, expected, neighbours = _neighbours(episodes)
        if neighbours < SURE:
            return "leak", (
                f"queries are not in random order: {percent(same, 0)} of neighbours are of one class, by chance "
                f"{percent(expected, 0)} would be"
            )
        places = _places(episodes)
        if places < SURE:
            return "leak", f"queries are not in random order: their place tells the class (p = {places:.1g})"
        return "ok", f"queries of {count_of(len(episodes), 'episode')} come in random order"


def _counts(episodes: Episodes) -> Float[np.ndarray, "episode way"]:
    """The queries of each class in each episode."""
    labels = episodes.query_labels[:, :, None] == np.arange(episodes.class_ids.shape[1])
    return labels.sum(axis=1).astype(np.float64)


def _neighbours(episodes: Episodes) -> tuple[float, float, float]:
    """The share of neighbours of one class, its expectation, and how likely so large a difference is by chance.

    Number and variance of equal neighbours in a random order are those of joins on a line; an episode is the unit, so
    the spread between episodes stands for the variance.
    """
    labels, counts = episodes.query_labels, _counts(episodes)
    size = counts.sum(axis=1)
    pairs = (labels[:, 1:] != PAD) & (labels[:, :-1] != PAD)
    same = ((labels[:, 1:] == labels[:, :-1]) & pairs).sum(axis=1)
    expected = (counts * (counts - 1)).sum(axis=1) / np.maximum(size, 1)
    share, fair = same.sum() / pairs.sum(), expected.sum() / pairs.sum()
    excess = same - expected
    # Were the order fixed, there would be no spread; half a pair an episode keeps the ratio finite.
    error = np.sqrt((excess.var() + 0.25) / len(excess))
    return float(share), float(fair), float(2 * stats.norm.sf(abs(excess.mean()) / error))


def _places(episodes: Episodes) -> float:
    """The p value of a chi-square test of classes against places."""
    counts = _counts(episodes)
    asked = (episodes.query_labels != PAD)[:, :, None]
    hit = episodes.query_labels[:, :, None] == np.arange(counts.shape[1])
    fair = (counts / np.maximum(counts.sum(axis=1, keepdims=True), 1))[:, None, :] * asked
    variance = (fair * (1 - fair)).sum(axis=0)
    wide = variance > 5  # where fewer are expected, a sum of squares follows no chi-square
    if not wide.any():
        return 1.0
    terms = np.square((hit & asked).sum(axis=0) - fair.sum(axis=0))[wide] / variance[wide]
    # The largest of many, each with one degree of freedom: no sum, whose terms depend on each other.
    return float(min(1.0, wide.sum() * stats.chi2.sf(terms.max(), 1)))
