"""The mean of one number a class, such as its diversity, over fresh classes of the same kind.

Classes of one parent are often alike: three characters of an alphabet are drawn by the same people. Then parents are
what is drawn independently, and an interval that takes classes one by one promises too much.
"""

import numpy as np
from jaxtyping import Float, Int
from scipy import stats

from fairshot.statistics.comparison import Difference, judge_spread
from fairshot.statistics.estimate import LEVEL, Estimate, Spread, refuse

TINY = 1e-9  # of the mean: what varies less is rounding

Values = Float[np.ndarray, " class"]
Parents = Int[np.ndarray, " class"]


def over_class_values(
    values: Values,
    level: float = LEVEL,
    *,
    bounds: tuple[float, float] = (-np.inf, np.inf),
    parents: Parents | None = None,
) -> Estimate:
    """A t interval within what is possible, over fresh classes, or over fresh parents with classes of their own.

    What varies within a class is part of its value.
    """
    spread, mean = _spread(values, parents), float(values.mean())
    if isinstance(spread, str):
        return refuse(mean, _population(parents), spread, level)
    half = float(stats.t.ppf((1 + level) / 2, spread.unit_degrees) * np.sqrt(spread.variance))
    return Estimate(
        value=mean,
        low=max(mean - half, bounds[0]),
        high=min(mean + half, bounds[1]),
        level=level,
        method="t",
        population=spread.population,
    )


def class_values_apart(
    one: Values, other: Values, level: float = LEVEL, *, parents: Parents | None = None
) -> Difference:
    """How much larger one number a class is than another of the same classes: a paired t test."""
    gaps = one - other
    units = len(gaps) if parents is None else len(np.unique(parents))
    return judge_spread(_spread(gaps, parents), float(gaps.mean()), _population(parents), level, units=units)


def _spread(values: Values, parents: Parents | None) -> Spread | str:
    """Of the mean, by how the sums of independent units depart from it; or why it cannot be told."""
    mean, count = float(values.mean()), len(values)
    units = np.arange(count) if parents is None else np.unique(parents, return_inverse=True)[1]
    number = int(units.max()) + 1
    if number < 2:
        return f"one {'class' if parents is None else 'parent'} tells nothing about others"
    if values.std(ddof=1) <= TINY * abs(mean):
        return "all classes have the same value: nothing varies"
    apart = np.bincount(units, values - mean)
    variance = number / (number - 1) * float((apart**2).sum()) / count**2
    return Spread(
        value=mean,
        population=_population(parents),
        variance=variance,
        sampling=0.0,
        noise=0.0,
        unit_degrees=number - 1.0,
        episodes=count,
    )


def _population(parents: Parents | None) -> str:
    return "classes" if parents is None else "parents"
