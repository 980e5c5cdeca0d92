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


def estimate_all(
    answers: Answers, scores: Float[np.ndarray, " episode"], *, level: float = LEVEL, difference: bool = False
) -> dict[str, Estimate]:
    """The mean with intervals for the sampler, fresh images, fresh classes, and fresh parents if episodes have one.

    `scores` are those of all episodes, `answers` of the first `MOST`, or all of them.
    """
    estimates = {"episodes": over_episodes(scores, level, difference=difference)}
    for population in SPREADS:
        if population != "parents" or answers.parent is not None:
            spread = spread_over(population, answers, scores)
            if isinstance(spread, str):
                estimates[population] = refuse(float(scores.mean()), population, spread, level)
            else:
                estimates[population] = spread.estimate(level, difference=difference)
    return estimates


def spread_over(population: str, answers: Answers, scores: Float[np.ndarray, " episode"]) -> Spread | str:
    """The spread over one population of the mean of all scores, or why it cannot be told."""
    spread = SPREADS[population](answers) if len(scores) > 1 else "one episode gives no interval"
    if isinstance(spread, str):
        return spread
    sampling = float(scores.var(ddof=1)) / len(scores)
    return replace(spread, value=float(scores.mean()), sampling=sampling, episodes=len(scores))
