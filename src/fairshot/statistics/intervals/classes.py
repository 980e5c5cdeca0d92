"""Would other classes of the same kind change the mean? Within parents, if episodes are."""

from dataclasses import replace

import numpy as np

from fairshot.statistics.answers import Answers
from fairshot.statistics.estimate import Spread
from fairshot.statistics.intervals.units import spread_over_units


def over_classes(answers: Answers) -> Spread | str:
    """The spread of the mean over fresh classes (of the same parents, if episodes stay within one), or why not.

    Classes that are made of one another, such as the four turns of a character, count as one: the units of (D25) to
    (D28) are then whole sets of such classes.
    """
    layout = answers.layout
    pool_of = np.zeros(len(layout.counts), dtype=np.int64) if answers.parent is None else layout.parents
    unit_of = np.unique(np.stack([pool_of, layout.units]), axis=1, return_inverse=True)[1].ravel()
    spread = spread_over_units(answers, pool_of, unit_of, "classes")
    return spread if isinstance(spread, str) else replace(spread, units=int(unit_of.max()) + 1)
