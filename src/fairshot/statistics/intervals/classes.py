"""Would other classes of the same kind change the mean? Within parents, if episodes are."""

from dataclasses import replace

import numpy as np

from fairshot.statistics.answers import Answers
from fairshot.statistics.estimate import Spread
from fairshot.statistics.intervals.units import spread_over_units


def over_classes(answers: Answers) -> Spread | str:
    """The spread of the mean over fresh classes (of the same parents, if episodes stay within one), or why not.

    Classes that are made of one another, such as the four turns of a character, count as one.
    """
    layout = answers.layout
    within = answers.parent is not None
    pools = layout.parents if within else np.zeros(len(layout.counts), dtype=np.int64)
    units = np.unique(np.stack([pools, layout.units]), axis=1, return_inverse=True)[1].ravel()
    found = spread_over_units(answers, pools, units, "classes")
    return found if isinstance(found, str) else replace(found, units=int(units.max()) + 1)
