"""All intervals of one score or one difference, each for a population of its own."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from jaxtyping import Float

from fairshot.statistics.answers import Answers
from fairshot.statistics.estimate import LEVEL, Estimate, Spread, refuse
from fairshot.statistics.intervals.classes import over_classes
from fairshot.statistics.intervals.episodes import over_episodes
from fairshot.statistics.intervals.images import over_images
from fairshot.statistics.intervals.parents import over_parents
from fairshot.statistics.sequential import at_any_time, inflation

MOST = 20_000  # episodes that show how much populations differ; more only make the tables longer
SPREADS: dict[str, Callable[[Answers], Spread | str]] = {
    "images": over_images,
    "classes": over_classes,
    "parents": over_parents,
}


def spread_all(
    answers: Answers, scores: Float[np.ndarray, " episode"], *, inflation: float = 1.0
) -> dict[str, Spread | str]:
    """For each population the spread of the mean over it, or why there is none; parents where classes come in some.

    Where nothing can be said about images and classes, the parents are values of an attribute. `inflation` says how
    many times the variance of the sampler counts (D45).
    """
    refused = answers.layout.refused
    spreads: dict[str, Spread | str] = {}
    for name in SPREADS:
        if name != "parents":
            spreads[name] = refused or spread_over(name, answers, scores)
        elif answers.parent is not None or answers.layout.families:
            spreads["values" if refused else name] = spread_over(name, answers, scores)
    return {
        name: spread if isinstance(spread, str) else replace(spread, sampling=inflation * spread.sampling)
        for name, spread in spreads.items()
    }


def spread_over(population: str, answers: Answers, scores: Float[np.ndarray, " episode"]) -> Spread | str:
    """The spread over one population of the mean of all scores, or why there is none.

    `scores` are those of all episodes, `answers` of the first `MOST`, or all of them.
    """
    spread = SPREADS[population](answers) if len(scores) > 1 else "one episode gives no interval"
    if isinstance(spread, str):
        return spread
    sampling = float(scores.var(ddof=1)) / len(scores)
    return replace(spread, value=float(scores.mean()), sampling=sampling, episodes=len(scores))


def estimate_all(
    answers: Answers,
    scores: Float[np.ndarray, " episode"],
    *,
    level: float = LEVEL,
    difference: bool = False,
    sequential: bool = False,
    worst: float | None = None,
) -> dict[str, Estimate]:
    """The mean with intervals for the sampler, fresh images, fresh classes, and fresh parents where there are some.

    `sequential` if the number of episodes was chosen while looking at the scores. `worst` is the score of a hopeless
    class, where that is known.
    """
    sequential = sequential and len(scores) > 1
    usual = (
        at_any_time(scores, level, difference=difference)
        if sequential
        else over_episodes(scores, level, difference=difference)
    )
    estimates = {"episodes": usual}
    factor = inflation(scores, level) if sequential else 1.0
    for population, spread in spread_all(answers, scores, inflation=factor).items():
        if isinstance(spread, str):
            estimates[population] = refuse(float(scores.mean()), population, spread, level)
        else:
            estimates[population] = spread.estimate(level, difference=difference, worst=worst)
    return estimates
