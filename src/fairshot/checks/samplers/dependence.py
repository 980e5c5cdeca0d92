"""Episodes that depend on each other: the same again and again, or each like the one before it."""

from itertools import pairwise

import numpy as np

from fairshot.checks.finding import Outcome
from fairshot.checks.samplers.draws import Draws
from fairshot.checks.samplers.sampler_check import CERTAIN, SamplerCheck
from fairshot.runtime.seeds import Stream

FEWEST = 30  # episodes, before neighbours can be compared with strangers
MOST_AGAIN = 0.02  # of the episodes may come twice by chance, where items are few
SHUFFLES = 200


class Dependence(SamplerCheck):
    """Episodes are drawn independently of each other."""

    def look(self, draws: Draws) -> tuple[Outcome, str]:
        """Counts equal episodes, and compares what neighbours share with what strangers share."""
        total = len(draws.episodes)
        sides = [(frozenset(each.support.tolist()), frozenset(each.query.tolist())) for each in draws.episodes]
        again = total - len(set(sides))
        if again > MOST_AGAIN * total:
            return "leak", f"{total:,} episodes are {total - again:,} different ones: others are repeated as they were"
        if total < FEWEST:
            return "not applicable", f"{total} episodes are too few: at least {FEWEST} are needed"
        for what, sets in (("classes", draws.class_sets), ("items", draws.item_sets)):
            excess = neighbour_excess(sets)
            if excess > CERTAIN:
                return "leak", f"an episode shares more {what} with the next one than with others: draw every one anew"
            if excess < -CERTAIN:
                return "warning", (
                    f"an episode shares fewer {what} with the next one than with others: {what} are dealt out in "
                    "turn, so the usual interval is not right"
                )
        if draws.repeats:
            return "warning", "every pass draws the same episodes: good for tests, not for training"
        return "ok", "neighbouring episodes share no more than others do"


def neighbour_excess(sets: list[frozenset[int]]) -> float:
    """How many standard deviations more neighbours have in common than episodes in random order."""
    seen = _shared(sets)
    stream = Stream(0, "neighbours")
    orders = stream.permutations(np.full(SHUFFLES, len(sets)))
    by_chance = [_shared([sets[number] for number in order]) for order in orders.tolist()]
    deviation = float(np.std(by_chance))
    return (seen - float(np.mean(by_chance))) / deviation if deviation > 0 else 0.0


def _shared(sets: list[frozenset[int]]) -> int:
    return sum(len(one & other) for one, other in pairwise(sets))
