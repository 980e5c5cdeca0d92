"""A Comparison: the difference of two learners on the same episodes, with an interval and a p for each population."""

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float
from scipy import stats

from fairshot.statistics.answers import Answers
from fairshot.statistics.estimate import LEVEL, Estimate, Spread, refuse
from fairshot.statistics.intervals import spread_all
from fairshot.statistics.over_episodes import over_episodes
from fairshot.statistics.sequential import at_any_time, inflation

POWER = 0.8  # the chance that a difference is found, for what it takes to find it


@dataclass(frozen=True)
class Difference:
    """One population's answer: an interval for the difference, how sure it is not 0, and what could be told apart."""

    estimate: Estimate
    p_value: float | None
    detectable: float | None
    """The smallest difference that as much data would find in four of five cases."""
    times_needed: float | None
    """How many times as many units (episodes, images, classes or parents) would tell these two learners apart."""
    variance: float | None = None
    """Of the difference between draws of as many units, with all their episodes."""

    def flip_chance(self, times: float = 1.0, gap: float | None = None) -> float | None:
        """How likely fresh units show the other sign, were the true difference the one found, or a given gap.

        With `times` as many units as there were.
        """
        if self.variance is None:
            return None
        gap = abs(self.estimate.value) if gap is None else gap
        if self.variance <= 0:
            return 0.0 if gap else 0.5
        return float(stats.norm.cdf(-gap / np.sqrt(self.variance / times)))


@dataclass(frozen=True)
class Comparison:
    """One learner against another."""

    first: str
    second: str
    task: str
    value: float
    improvement: float
    """The share of episodes in which the first is better, ties counted half."""
    differences: dict[str, Difference]
    units: dict[str, int]
    """How many episodes, images a class, classes, parents or runs there were."""
    warnings: tuple[str, ...] = ()
    """What a reader must know of either learner."""


def compare_answers(
    answers: Answers, scores: Float[np.ndarray, " episode"], *, level: float = LEVEL, sequential: bool = False
) -> dict[str, Difference]:
    """The difference over every population; `answers` hold correctness minus correctness, `scores` all differences.

    `sequential` if the number of episodes was chosen while looking at the scores.
    """
    if len(scores) < 2:
        return {"episodes": Difference(over_episodes(scores, level, difference=True), None, None, None)}
    more = inflation(scores, level) if sequential else 1.0
    deviation = float(scores.std(ddof=1) * np.sqrt(more / len(scores)))
    usual = at_any_time(scores, level, difference=True) if sequential else over_episodes(scores, level, difference=True)
    found = {"episodes": _judged(usual, deviation, len(scores) - 1.0, level)}
    for population, spread in spread_all(answers, scores, inflation=more).items():
        found[population] = judge_spread(spread, usual.value, population, level)
    return found


def judge_spread(spread: Spread | str, value: float, population: str, level: float = LEVEL) -> Difference:
    """The difference over one population, from the spread of its mean or the reason why there is none."""
    if isinstance(spread, str):
        return Difference(refuse(value, population, spread, level), None, None, None)
    estimate = spread.estimate(level, difference=True)
    if estimate.interval is None:
        return Difference(estimate, None, None, None)
    # More units lower what the population adds; what drawing episodes adds can be made as small as one likes.
    own = max(spread.variance, 0.0)
    judged = _judged(estimate, float(np.sqrt(spread.total)), spread.degrees, level, np.sqrt(own))
    return replace(judged, variance=own)


def _judged(
    estimate: Estimate, deviation: float, degrees: float, level: float, reducible: float | None = None
) -> Difference:
    quantile = stats.t.ppf((1 + level) / 2, degrees) + stats.t.ppf(POWER, degrees)
    if deviation == 0:
        return Difference(estimate, 1.0 if estimate.value == 0 else 0.0, 0.0, None)
    p_value = float(2 * stats.t.sf(abs(estimate.value) / deviation, degrees))
    own = deviation if reducible is None else reducible
    times = float((quantile * own / estimate.value) ** 2) if estimate.value else None
    return Difference(estimate, p_value, float(quantile * deviation), times)


def improvement(scores: Float[np.ndarray, " episode"]) -> float:
    """The share of episodes with a positive difference, ties counted half."""
    return float((scores > 0).mean() + 0.5 * (scores == 0).mean())


def adjusted(p_values: Float[np.ndarray, " pair"]) -> tuple[Float[np.ndarray, " pair"], Float[np.ndarray, " pair"]]:
    """The p values of many comparisons after Holm, and after Benjamini and Hochberg."""
    order = np.argsort(p_values)
    ranked, count = p_values[order], len(p_values)
    holm = np.minimum(1, np.maximum.accumulate(ranked * (count - np.arange(count))))
    hochberg = np.minimum(1, np.minimum.accumulate((ranked * count / np.arange(1, count + 1))[::-1])[::-1])
    back = np.argsort(order)
    return holm[back], hochberg[back]
