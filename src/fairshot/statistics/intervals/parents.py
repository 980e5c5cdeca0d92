"""Would other parents (alphabets, families) change the mean?"""

import numpy as np

from fairshot.statistics.answers import Answers
from fairshot.statistics.estimate import Spread
from fairshot.statistics.intervals.units import spread_over_units


def over_parents(answers: Answers) -> Spread | str:
    """The spread of the mean over fresh parents with classes and images of their own, or why it cannot be told.

    Episodes are each of one parent, or mix classes of several. Where the layout refuses classes, parents are the values
    of an attribute, with images of their own.
    """
    if answers.parent is None:
        return _mixed(answers)
    episodes, scores = answers.episodes, answers.scores
    seen, home = np.unique(answers.parent, return_inverse=True)
    parents = len(seen)
    if parents < 2:
        return f"all episodes are of one {'value' if answers.layout.refused else 'parent'}"
    x = (scores - scores.mean()) * parents / (parents - 1)
    moved = np.bincount(home, x, parents) - x.sum() / parents
    own = x * x * (1 - 1 / parents)
    squares = np.bincount(home, own, parents)
    scale = (parents - 1) / parents / episodes**2
    variance = scale * float((moved**2).sum() - own.sum()) * episodes / (episodes - 1)
    noise = scale**2 * (2 * squares**2 + 4 * np.maximum(moved**2 - squares, 0) * squares).sum()
    sampling = float(scores.var(ddof=1)) / episodes
    population = "values" if answers.layout.refused else "parents"
    return Spread(float(scores.mean()), population, variance, sampling, float(np.sqrt(noise)), parents - 1.0, episodes)


def _mixed(answers: Answers) -> Spread | str:
    """Parents as families of classes that meet in one episode."""
    parents = np.unique(answers.layout.parents, return_inverse=True)[1]
    if parents.max() == 0:
        return "all classes are of one parent"
    return spread_over_units(answers, np.zeros_like(parents), parents, "parents")
