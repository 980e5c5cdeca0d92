"""The mean of one number a class, such as its diversity, over fresh classes of the same kind."""

import numpy as np
from jaxtyping import Float
from scipy import stats

from fairshot.statistics.estimate import LEVEL, Estimate, refuse

TINY = 1e-9  # of the mean: what varies less is rounding


def over_class_values(
    values: Float[np.ndarray, " class"], level: float = LEVEL, *, bounds: tuple[float, float] = (-np.inf, np.inf)
) -> Estimate:
    """A t interval within what is possible: classes are drawn independently, and what varies within each is part of
    its value.
    """
    mean, count = float(values.mean()), len(values)
    if count < 2:
        return refuse(mean, "classes", "one class tells nothing about others", level)
    deviation = float(values.std(ddof=1))
    if deviation <= TINY * abs(mean):
        return refuse(mean, "classes", "all classes have the same value: nothing varies", level)
    half = float(stats.t.ppf((1 + level) / 2, count - 1) * deviation / np.sqrt(count))
    return Estimate(mean, max(mean - half, bounds[0]), min(mean + half, bounds[1]), level, "t", "classes")
