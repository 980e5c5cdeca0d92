"""Forecasts in words: what other classes would say, always in the same sentence."""

from fairshot.statistics.forecast import Forecast

ALMOST = 0.001  # probabilities below are not printed to a digit that nobody knows


def forecast_sentence(difference: float, found: Forecast | None, units: str = "classes") -> str:
    """How likely other classes show the other learner ahead; and how likely, if the difference were the truth."""
    if found is None:
        return f"How likely other {units} show the other learner ahead is not known."
    count = f"{found.units:,.0f} other {units}"
    if difference == 0:
        return f"Neither is ahead, so {count} may show either ahead."
    ahead = f"On {count} the other learner would be ahead with a probability of {probability(found.probability)}"
    return f"{ahead} ({_span(found)}); if the difference found were the truth, {probability(found.if_true)}."


def _span(found: Forecast) -> str:
    low, high = (f"{100 * end:.1f}" for end in (found.low, found.high))
    return f"{low} to {high}%" if low != high else f"about {low}%"


def probability(value: float) -> str:
    """In percent, or below the smallest that is printed."""
    return "less than 0.1%" if value < ALMOST else f"{100 * value:.1f}%"
