"""Would other parents (alphabets, families) change the mean? Pair products over parents."""

import numpy as np

from fairshot.statistics.answers import Answers
from fairshot.statistics.estimate import Spread


def over_parents(answers: Answers) -> Spread | str:
    """The spread of the mean over fresh parents with classes and images of their own, or why it cannot be told.

    Where the layout refuses classes, parents are the values of an attribute, with images of their own.
    """
    parent, episodes, scores = answers.parent, answers.episodes, answers.scores
    if parent is None:
        return "episodes mix classes of several parents"
    seen, home = np.unique(parent, return_inverse=True)
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
