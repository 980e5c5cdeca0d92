"""A Comparison: the difference of two learners on the same episodes, with an interval and a p for each population."""

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float
from scipy import stats

from fairshot.statistics.answers import Answers
from fairshot.statistics.estimate import LEVEL, Estimate, Spread, refuse
from fairshot.statistics.forecast import Between, Forecast, flip_chance, forecast
from fairshot.statistics.intervals.class_pairs import pair_effects
from fairshot.statistics.intervals.episodes import over_episodes
from fairshot.statistics.intervals.populations import spread_all
from fairshot.statistics.sequential import at_any_time, inflation
from fairshot.tables.words import signed

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
    between: Between | None = None
    """How the difference varies between sets of units, where that is known."""
    forecast: Forecast | None = None
    """How likely as many other units show the other sign."""
    degrees: float | None = None
    """Degrees of freedom behind the interval, where there is one."""

    @property
    def deviation(self) -> float | None:
        """The standard deviation behind the interval, where there is one."""
        interval = self.estimate.interval
        if self.estimate.deviation is not None or interval is None or self.degrees is None:
            return self.estimate.deviation
        return (interval[1] - interval[0]) / 2 / float(stats.t.ppf((1 + self.estimate.level) / 2, self.degrees))

    def flip_chance(self, gap: float) -> float | None:
        """How often as many other units show the other sign, if this gap is the true difference."""
        return None if self.between is None else flip_chance(gap, self.between.variance)


@dataclass(frozen=True, kw_only=True, repr=False)
class Comparison:
    """One learner against another."""

    first: str
    second: str
    task: str
    value: float
    improvement: float
    """The share of episodes (items, data sets) in which the first is better, ties counted half."""
    differences: dict[str, Difference]
    units: dict[str, int]
    """How many episodes, images a class, classes, parents or runs there were."""
    warnings: tuple[str, ...] = ()
    """What a reader must know of either learner."""
    headline: str = ""
    """The population that should be quoted."""
    metric: str = "accuracy"
    higher_is_better: bool = True
    unit: str = "episodes"
    """What both were scored on, one by one: episodes, items or data sets."""

    def __repr__(self) -> str:
        return f"<Comparison: {self.first} - {self.second}, {self.task}: {signed(self.value, 4)}>"


def compare_answers(
    answers: Answers, scores: Float[np.ndarray, " episode"], *, level: float = LEVEL, sequential: bool = False
) -> dict[str, Difference]:
    """The difference over every population; `answers` hold correctness minus correctness, `scores` all differences.

    `sequential` if the number of episodes was chosen while looking at the scores.
    """
    if len(scores) < 2:
        return {"episodes": Difference(over_episodes(scores, level, difference=True), None, None, None)}
    factor = inflation(scores, level) if sequential else 1.0
    deviation = float(scores.std(ddof=1) * np.sqrt(factor / len(scores)))
    usual = at_any_time(scores, level, difference=True) if sequential else over_episodes(scores, level, difference=True)
    differences = {"episodes": _difference(usual, deviation, len(scores) - 1.0)}
    layout = answers.layout
    units = {"classes": len(np.unique(layout.units)), "parents": len(np.unique(layout.parents))}
    for population, spread in spread_all(answers, scores, inflation=factor).items():
        pairs = pair_effects(answers) if population == "classes" else None
        differences[population] = judge_spread(
            spread,
            usual.value,
            population,
            level,
            units=units.get(population, 0),
            pairs=0.0 if pairs is None else pairs.variance,
        )
    return differences


def judge_spread(
    spread: Spread | str, value: float, population: str, level: float = LEVEL, *, units: int = 0, pairs: float = 0.0
) -> Difference:
    """The difference over one population, from the spread of its mean or the reason why there is none.

    With the number of `units`, and what pairs of them add to the variance, other units are forecast.
    """
    if isinstance(spread, str):
        return Difference(refuse(value, population, spread, level), None, None, None)
    estimate = spread.estimate(level, difference=True)
    if estimate.interval is None:
        return Difference(estimate, None, None, None)
    # More units lower what the population adds; what drawing episodes adds can be made as small as one likes.
    variance = max(spread.variance, 0.0)
    difference = _difference(estimate, spread.deviation, spread.degrees, reducible=np.sqrt(variance))
    if not units:
        return difference
    between = Between(variance, spread.sampling, spread.degrees, units, pairs)
    return replace(difference, between=between, forecast=forecast(spread.value, between))


def _difference(estimate: Estimate, deviation: float, degrees: float, *, reducible: float | None = None) -> Difference:
    """A difference with its p value (D47), and what could be told apart (D48).

    `reducible` is the part of the deviation that more units lower; all of it where that is not said.
    """
    if deviation == 0:
        return Difference(estimate, 1.0 if estimate.value == 0 else 0.0, 0.0, None, degrees=degrees)
    p_value = float(2 * stats.t.sf(abs(estimate.value) / deviation, degrees))
    quantile = stats.t.ppf((1 + estimate.level) / 2, degrees) + stats.t.ppf(POWER, degrees)
    lowered = deviation if reducible is None else reducible
    times = float((quantile * lowered / estimate.value) ** 2) if estimate.value else None
    return Difference(estimate, p_value, float(quantile * deviation), times, degrees=degrees)


def improvement(scores: Float[np.ndarray, " episode"]) -> float:
    """The share of episodes with a positive difference, ties counted half."""
    return float((scores > 0).mean() + 0.5 * (scores == 0).mean())


def adjusted(p_values: Float[np.ndarray, " pair"]) -> tuple[Float[np.ndarray, " pair"], Float[np.ndarray, " pair"]]:
    """The p values of many comparisons after Holm, and after Benjamini and Hochberg."""
    order = np.argsort(p_values)
    ranked, count = p_values[order], len(p_values)
    holm = np.minimum(1, np.maximum.accumulate(ranked * (count - np.arange(count))))
    return holm[np.argsort(order)], stats.false_discovery_control(p_values)
