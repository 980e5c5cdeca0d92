"""Queries that come in an order that tells their labels: one after the other of the same class, or by label."""

import numpy as np

from fairshot.checks.finding import Outcome
from fairshot.checks.samplers.draws import Draw, Draws
from fairshot.checks.samplers.sampler_check import CERTAIN, SamplerCheck
from fairshot.tables.words import percent


class Order(SamplerCheck):
    """The place of a query says nothing about its class."""

    def look(self, draws: Draws) -> tuple[Outcome, str]:
        """Compares neighbours, and guesses the label by the place alone."""
        queries = [draws.classes[each.query] for each in draws.episodes]
        together, expected, variance = np.sum([_neighbours(own) for own in queries], axis=0)
        excess = (together - expected) / np.sqrt(variance) if variance > 0 else 0.0
        guessed, chance, certain = _guess_by_place(draws)
        if abs(excess) <= CERTAIN and not certain:
            return "ok", "neither neighbours nor places tell the class of a query"
        pairs = sum(max(len(own) - 1, 0) for own in queries)
        seen = f"two queries in a row share their class in {percent(together / max(pairs, 1), 0)} of cases"
        if certain:
            seen = f"the place alone names {percent(guessed, 0)} of the queries rightly, by chance {percent(chance, 0)}"
        advice = "shuffle the queries of every episode before they are answered"
        return "warning" if draws.flat else "leak", f"{seen}: {advice}"


def _neighbours(classes: np.ndarray) -> tuple[float, float, float]:
    """How many neighbours share their class, how many should in random order, and the variance of that."""
    count = len(classes)
    if count < 3:
        return 0.0, 0.0, 0.0
    sizes = np.unique(classes, return_counts=True)[1]
    share = float((sizes * (sizes - 1)).sum()) / (count * (count - 1))
    return float((classes[1:] == classes[:-1]).sum()), (count - 1) * share, (count - 1) * share * (1 - share)


def _guess_by_place(draws: Draws) -> tuple[float, float, bool]:
    """How often the label that is most common at a place is right, in the second half of the episodes."""
    labels = [_labels(draws, each) for each in draws.episodes]
    width = min(map(len, labels))
    table = np.stack([own[:width] for own in labels]) if width else np.zeros((0, 0), dtype=np.int64)
    half = len(table) // 2
    if half < 5 or not width:
        return 0.0, 0.0, False
    known, asked = table[:half], table[half:]
    modes = np.array([np.bincount(column).argmax() for column in known.T])
    guessed = float((asked == modes).mean())
    shares = np.bincount(asked.ravel()) / asked.size
    chance = float(shares.max())
    deviation = np.sqrt(chance * (1 - chance) / len(asked))  # the places of an episode go together
    return guessed, chance, bool(guessed - chance > CERTAIN * max(deviation, 1e-9))


def _labels(draws: Draws, each: Draw) -> np.ndarray:
    """The labels of the queries; without any, the place of their class in the support."""
    if each.query_labels is not None:
        return each.query_labels - each.query_labels.min(initial=0)
    order = {one: number for number, one in enumerate(dict.fromkeys(draws.classes[each.support].tolist()))}
    return np.array([order.get(one, len(order)) for one in draws.classes[each.query].tolist()])
