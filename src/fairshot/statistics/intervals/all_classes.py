"""Would other classes change the mean where every class is in every draw?

No draw leaves a class out, but the answers tell what would happen without it: its own test images are not asked, and
those that it takes from other classes are answered correctly. A fresh class comes with labelled images, draws and test
images of its own, so this is an interval for everything at once. Equations (D71) to (D73) of docs/derivation.md.
"""

from dataclasses import replace

import numpy as np
from jaxtyping import Float, Int

from fairshot.statistics.estimate import Spread
from fairshot.statistics.probe_answers import ProbeAnswers

LARGEST_SHARE = 0.25  # of the variance, at most, is taken off for pairs: with few classes their part is poorly known
FEWEST = 5  # classes or parents: with fewer, what is left without one is another problem


def over_all_classes(answers: ProbeAnswers) -> Spread | str:
    """The spread of the mean over fresh classes and all their images, or why there is none."""
    spread = _over_units(answers, np.arange(answers.layout.classes), answers.stolen, "classes")
    if isinstance(spread, str) or answers.stolen_pairs is None:
        return spread
    twice = min(pair_variance(answers.stolen_pairs), LARGEST_SHARE * spread.variance)
    return replace(spread, variance=spread.variance - twice)


def pair_variance(taken: Float[np.ndarray, "class other"]) -> float:
    """What pairs of classes add to the variance beyond single classes, which the jackknife counts twice (D73)."""
    count = len(taken)
    apart = ~np.eye(count, dtype=bool)
    together = np.where(apart, taken + taken.T, 0.0)
    level = together.sum() / (count * (count - 1))
    single = (together.sum(axis=1) - (count - 1) * level) / (count - 2)
    rest = (together - level - single[:, None] - single)[apart]
    return float((count - 1) / (count - 3) * (rest**2).sum() / 2)


def over_all_parents(answers: ProbeAnswers) -> Spread | str:
    """The spread of the mean over fresh parents with all their classes and images, or why there is none."""
    assert answers.stolen_by_parent is not None, "only where classes come in parents"
    return _over_units(answers, answers.layout.parents, answers.stolen_by_parent, "parents")


def _over_units(
    answers: ProbeAnswers, unit: Int[np.ndarray, " class"], stolen: Float[np.ndarray, "draw unit"], population: str
) -> Spread | str:
    count = int(unit.max()) + 1
    if count < FEWEST:
        return f"there are {count} {population}, and {FEWEST} are needed to say anything about others"
    whole = answers.scores.mean()
    own = np.bincount(unit, answers.class_scores.mean(axis=0), count)
    weight = np.bincount(unit, answers.weights * answers.layout.test_counts, count)
    without = (whole - own + stolen.mean(axis=0)) / (1 - weight)
    return Spread(
        value=float(whole),
        population=population,
        variance=float((count - 1) / count * ((without - without.mean()) ** 2).sum()),
        sampling=0.0,
        noise=0.0,
        unit_degrees=count - 1.0,
        episodes=count,
        units=count if population == "classes" else 0,
    )
