"""Forecasts in words: what other classes would say, always in the same sentence."""

from fairshot.statistics.comparison import Comparison
from fairshot.statistics.estimate import has_width
from fairshot.statistics.forecast import Forecast
from fairshot.tables.words import singular

ALMOST = 0.001  # probabilities below are not printed to a digit that nobody knows
LEAST_WHOLE = 0.01  # from here on a digit behind the point would promise more than is known
ALIKE = "they answer alike in every"


def answer_alike(comparison: Comparison) -> bool:
    """Whether no episode distinguishes the two, so that nothing is known of which would be ahead elsewhere."""
    intervals = [each.estimate.interval for each in comparison.differences.values() if each.estimate.interval]
    return bool(intervals) and all(interval == (0.0, 0.0) for interval in intervals)


def differ_alike(comparison: Comparison) -> bool:
    """Whether the one is ahead by the same in every episode, so that nothing is known of how others vary."""
    intervals = [each.estimate.interval for each in comparison.differences.values() if each.estimate.interval]
    return comparison.value != 0 and bool(intervals) and not any(has_width(interval) for interval in intervals)


def forecast_sentence(
    difference: float, found: Forecast | None, units: str = "classes", *, alike: bool = False, unit: str = "episodes"
) -> str:
    """How likely other classes show the other learner ahead; and how likely, if the difference were the truth."""
    if alike:
        return f"Both answer alike in every {singular(unit)}, so what other {units} would show is not known."
    if found is None:
        return f"How likely other {units} show the other learner ahead is not known."
    count = f"{found.units:,.0f} other {units}"
    if difference == 0:
        return f"Neither is ahead, so {count} may show either ahead."
    ahead = f"On {count} the other learner would be ahead with a probability of {probability(found.probability)}"
    return f"{ahead} ({_span(found)}); if the difference found were the truth, {probability(found.if_true)}."


def flip_chance(comparison: Comparison) -> list[str]:
    """In how many cases other classes or parents would show the other learner ahead; nothing where it is not known."""
    population = "parents" if comparison.headline == "parents" else "classes"
    difference = comparison.differences.get(population)
    found = None if difference is None else difference.forecast
    if found is None or comparison.value == 0:
        return []
    share = f"{100 * found.probability:.0f}%" if found.probability >= LEAST_WHOLE else probability(found.probability)
    return [f"on {found.units:,.0f} other {population} this would flip in {share} of the cases"]


def _span(found: Forecast) -> str:
    low, high = (f"{100 * end:.1f}" for end in (found.low, found.high))
    return f"{low} to {high}%" if low != high else f"about {low}%"


def probability(value: float) -> str:
    """In percent, or below the smallest that is printed."""
    return "less than 0.1%" if value < ALMOST else f"{100 * value:.1f}%"
