"""Would other parents (alphabets, families) change the mean?"""

import numpy as np
from jaxtyping import Int

from fairshot.statistics.answers import Answers
from fairshot.statistics.estimate import Spread
from fairshot.statistics.intervals.influence import Influence
from fairshot.statistics.intervals.units import spread_over_units


def over_parents(answers: Answers) -> Spread | str:
    """The spread of the mean over fresh parents with classes and images of their own, or why there is none.

    Episodes are each of one parent, or mix classes of several. Where the layout refuses classes, parents are the values
    of an attribute, with images of their own.
    """
    if answers.parent is None:
        return _mixed(answers)
    values, parent = np.unique(answers.parent, return_inverse=True)
    if len(values) < 2:
        return f"all episodes are of one {'value' if answers.layout.refused else 'parent'}"
    influence = _influence(answers, parent, len(values))
    return influence.spread(answers, "values" if answers.layout.refused else "parents", len(values) - 1.0)


def _influence(answers: Answers, parent: Int[np.ndarray, " episode"], parents: int) -> Influence:
    """What leaving out each parent does to the mean, where every episode is of one (D30)."""
    x = (answers.scores - answers.scores.mean()) * parents / (parents - 1)
    sums = np.bincount(parent, x, parents) - x.sum() / parents
    own_squares = x * x * (1 - 1 / parents)
    return Influence(
        sums=sums,
        squares=np.bincount(parent, own_squares, parents),
        square_totals=np.array([own_squares.sum()]),
        stratum=np.zeros(parents, dtype=np.int64),
        sizes=np.array([parents]),
        scale=np.array([(parents - 1) / parents / answers.episodes**2]),
    )


def _mixed(answers: Answers) -> Spread | str:
    """Parents as units of several classes that meet in one episode, by (D25) to (D28)."""
    parents = np.unique(answers.layout.parents, return_inverse=True)[1]
    if parents.max() == 0:
        return "all classes are of one parent"
    return spread_over_units(answers, np.zeros_like(parents), parents, "parents")
