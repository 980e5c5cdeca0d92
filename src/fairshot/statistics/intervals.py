"""All intervals of one score or one difference, each for a population of its own."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from jaxtyping import Float

from fairshot.statistics.answers import Answers
from fairshot.statistics.estimate import LEVEL, Estimate, Spread, refuse
from fairshot.statistics.over_classes import over_classes
from fairshot.statistics.over_episodes import over_episodes
from fairshot.statistics.over_images import over_images
from fairshot.statistics.over_parents import over_parents

MOST = 20_000  # episodes that tell how much populations differ; more only make the tables longer
SPREADS: dict[str, Callable[[Answers], Spread | str]] = {
    "images": over_images,
    "classes": over_classes,
    "parents": over_parents,
}


def spread_all(answers: Answers) -> dict[str, Spread | str]:
    """For each population the spread of the mean over it, or why it cannot be told; parents only if episodes have one.

    Where nothing can be said about images and classes, the parents are values of an attribute.
    """
    refused, several = answers.layout.refused, answers.episodes > 1
    found: dict[str, Spread | str] = {}
    for name, spread_over in SPREADS.items():
        if name != "parents":
            found[name] = refused or (spread_over(answers) if several else "one episode gives no interval")
        elif answers.parent is not None:
            spread = spread_over(answers) if several else "one episode gives no interval"
            found["values" if refused else name] = spread
    return found


def estimate_all(
    answers: Answers, scores: Float[np.ndarray, " episode"], *, level: float = LEVEL, difference: bool = False
) -> dict[str, Estimate]:
    """The mean with intervals for the sampler, fresh images, fresh classes, and fresh parents if episodes have one.

    `scores` are those of all episodes, `answers` of the first `MOST`, or all of them.
    """
    estimates = {"episodes": over_episodes(scores, level, difference=difference)}
    for population, spread in spread_all(answers).items():
        if isinstance(spread, str):
            estimates[population] = refuse(float(scores.mean()), population, spread, level)
        else:
            sampling = float(scores.var(ddof=1)) / len(scores)
            whole = replace(spread, value=float(scores.mean()), sampling=sampling, episodes=len(scores))
            estimates[population] = whole.estimate(level, difference=difference)
    return estimates
