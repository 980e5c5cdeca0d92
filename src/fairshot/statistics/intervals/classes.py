"""Would other classes of the same kind change the mean? Within parents, if episodes are."""

from dataclasses import replace

import numpy as np

from fairshot.statistics.answers import Answers
from fairshot.statistics.estimate import Spread
from fairshot.statistics.intervals.class_pairs import pair_effects
from fairshot.statistics.intervals.units import spread_over_units

LARGEST_SHARE = 1 / 8  # more than this share of the variance speaks of classes that are not drawn one by one


def over_classes(answers: Answers) -> Spread | str:
    """The spread of the mean over fresh classes (of the same parents, if episodes stay within one), or why not.

    Classes that are made of one another, such as the four turns of a character, count as one: the units of (D25) to
    (D28) are then whole sets of such classes. What pairs of classes do is in the variance twice, and is taken off once
    where it can be estimated (D52).
    """
    layout = answers.layout
    pool_of = np.zeros(len(layout.counts), dtype=np.int64) if answers.parent is None else layout.parents
    unit_of = np.unique(np.stack([pool_of, layout.units]), axis=1, return_inverse=True)[1].ravel()
    spread = spread_over_units(answers, pool_of, unit_of, "classes")
    if isinstance(spread, str):
        return spread
    units = int(unit_of.max()) + 1
    pairs = pair_effects(answers)
    twice = 0.0 if pairs is None else min(max(pairs.variance, 0.0), LARGEST_SHARE * max(spread.variance, 0.0))
    return replace(spread, variance=spread.variance - twice, units=units)
