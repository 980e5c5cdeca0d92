"""How sets of samples differ from each other and from people, class by class: would it hold for other classes?"""

from collections.abc import Mapping
from itertools import combinations

import numpy as np

from fairshot.scoring.class_values import Parents
from fairshot.scoring.evidence import Measurement
from fairshot.scoring.measures.measure import Measure
from fairshot.scoring.sample_scores import SetDifference
from fairshot.statistics.comparison import Difference, adjusted


def set_differences(
    sets: Mapping[str, Measurement], measures: Mapping[str, Measure], parents: Parents | None
) -> list[SetDifference]:
    """Every two sets, by every measure that compares sets; in the order in which both are given.

    Over other parents where classes come in some; recognizability over other classes, as episodes mix parents.
    """
    found = []
    for name, measure in measures.items():
        if measure.compares_sets:
            with_measure = [each for each, measurement in sets.items() if name in measurement.values]
            pairs = {
                (first, second): measure.difference(sets[first], sets[second], parents)
                for first, second in combinations(with_measure, 2)
            }
            found += _corrected(name, pairs)
    return found


def _corrected(measure: str, pairs: Mapping[tuple[str, str], Difference]) -> list[SetDifference]:
    """The differences of all pairs by one measure, with p corrected for their number."""
    p_values = {pair: pairs[pair].p_value for pair in pairs}
    known = {pair: p for pair, p in p_values.items() if p is not None}
    holm = dict(zip(known, adjusted(np.array(list(known.values())))[0].tolist(), strict=True))
    return [
        SetDifference(
            first=first,
            second=second,
            metric=measure,
            value=difference.estimate.value,
            interval=difference.estimate.interval,
            population=difference.estimate.population,
            p=difference.p_value,
            holm=holm.get((first, second)),
            flips=None if difference.forecast is None else difference.forecast.probability,
            note=difference.estimate.reason,
        )
        for (first, second), difference in pairs.items()
    ]
