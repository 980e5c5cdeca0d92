"""How sets of samples differ from each other and from people, class by class: would it hold for other classes?"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import combinations
from typing import TypeVar

import numpy as np

from fairshot.scoring.class_values import Parents, class_values_apart
from fairshot.scoring.measures.diversity import PerClass
from fairshot.scoring.measures.human_distance import HUMAN, HumanScale
from fairshot.scoring.measures.recognizability import recognised_more
from fairshot.scoring.protocol import Card
from fairshot.scoring.sample_scores import SetDifference
from fairshot.statistics.comparison import Difference, adjusted

Own = TypeVar("Own")


def distances(cards: Mapping[str, Card], scale: HumanScale) -> dict[str, dict[str, PerClass]]:
    """For both measures of distance and each set, one number a class whose mean it is; none without a scale."""
    others = [] if scale.lacking else [name for name in cards if name != HUMAN]
    return {
        "distance": {name: scale.shares(cards[name].points) for name in others},
        "class_distance": {name: scale.class_distances(cards[name].points) for name in others},
    }


def differences(
    cards: Mapping[str, Card], far: Mapping[str, Mapping[str, PerClass]], parents: Parents | None
) -> list[SetDifference]:
    """Every two sets, people last: how diverse and recognizable they are, and which is farther from people.

    Over other parents where classes come in some; recognizability over other classes, as episodes mix parents.
    """
    ordered = [*(name for name in cards if name != HUMAN), HUMAN]
    diverse = {name: cards[name].values["diversity"] for name in ordered}
    known = {name: cards[name].recognized for name in ordered}
    by_class = partial(class_values_apart, parents=parents)
    return [
        *_paired("diversity", diverse, by_class),
        *_paired("recognizability", known, recognised_more),
        *(each for metric, sets in far.items() for each in _paired(metric, sets, by_class)),
    ]


def _paired(metric: str, sets: Mapping[str, Own], compare: Callable[[Own, Own], Difference]) -> Iterable[SetDifference]:
    found = {pair: compare(*(sets[name] for name in pair)) for pair in combinations(sets, 2)}
    sure = {pair: own.p_value for pair, own in found.items() if own.p_value is not None}
    holm = dict(zip(sure, adjusted(np.array(list(sure.values())))[0].tolist(), strict=True))
    for (first, second), own in found.items():
        told = own.estimate
        yield SetDifference(
            first=first, second=second, metric=metric, value=told.value, interval=told.interval,
            population=told.population, p=own.p_value, holm=holm.get((first, second)),
            flips=None if own.forecast is None else own.forecast.probability, note=told.reason,
        )  # fmt: skip
