"""The ratio of two means on the same episodes, with intervals by the delta method.

A ratio R of means T and B differs from its true value as the mean of (t - R b) / B does, to first order; so every
interval of a mean is one of a ratio (D49). Pairing is kept: an episode that is hard for both moves the ratio little.
"""

import math
from dataclasses import replace

import numpy as np
from jaxtyping import Float

from fairshot.runtime.errors import FairshotError
from fairshot.statistics.answers import Answers
from fairshot.statistics.estimate import Estimate
from fairshot.statistics.intervals.populations import estimate_all

Values = Float[np.ndarray, "_"]
NORMAL = 1.96  # as printed intervals use it


def ratio_of(top: Answers, bottom: Answers, tops: Values, bottoms: Values) -> dict[str, Estimate]:
    """Intervals for every population; the answers are those of the first episodes, the values of all."""
    mean = float(bottoms.mean())
    if mean <= 0:
        raise FairshotError("a ratio to a mean of 0 means nothing: the reference never answers correctly")
    ratio = float(tops.mean()) / mean

    def linearise(above: Values, below: Values) -> Values:
        return ratio + (above - ratio * below) / mean  # (D49)

    answers = replace(top, correct=linearise(top.correct, bottom.correct))
    if top.values is not None and bottom.values is not None:
        answers = replace(answers, values=linearise(top.values, bottom.values))
    return estimate_all(answers, linearise(tops, bottoms), difference=True)


def in_quadrature(tops: Values, bottoms: Values) -> tuple[float, float] | None:
    """The published interval of CSCC (D50): both means with usual intervals, as if their errors were independent."""
    above, below = float(tops.mean()), float(bottoms.mean())
    if len(tops) < 2 or not above:
        return None
    halves = [NORMAL * float(values.std(ddof=1)) / math.sqrt(len(values)) for values in (tops, bottoms)]
    half = half_in_quadrature((above, halves[0]), (below, halves[1]))
    return above / below - half, above / below + half


def half_in_quadrature(top: tuple[float, float], bottom: tuple[float, float]) -> float:
    """Half the width of a ratio's interval, from two means with half the widths of theirs (D50)."""
    return top[0] / bottom[0] * math.hypot(top[1] / top[0], bottom[1] / bottom[0])
