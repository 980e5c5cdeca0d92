"""Means over trainings with several seeds: would other classes, or other seeds, change them?"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from scipy import stats

from fairshot.scoring.class_values import Parents, over_class_values
from fairshot.statistics.estimate import LEVEL, Estimate, refuse

RUNS, BOTH = "runs", "runs and classes"
ONE_RUN = "one run tells nothing about others"

BySeed = Float[np.ndarray, "seed class"]
OtherBySeed = Float[np.ndarray, "other_seed class"]


def over_seeds(values: Sequence[float], level: float = LEVEL) -> Estimate:
    """The mean with a t interval for trainings with other seeds; refused where there is one."""
    numbers = np.asarray(values, dtype=np.float64)
    mean = float(numbers.mean())
    if len(numbers) < 2:
        return refuse(mean, RUNS, ONE_RUN, level)
    half = float(stats.t.ppf((1 + level) / 2, len(numbers) - 1) * numbers.std(ddof=1) / np.sqrt(len(numbers)))
    return Estimate(value=mean, low=mean - half, high=mean + half, level=level, method="t", population=RUNS)


def model_estimates(table: BySeed, parents: Parents | None, *, share: bool) -> dict[str, Estimate]:
    """Of a number a class: for other classes, for other parents where classes have some, and for other seeds."""
    mean_run, bounds = table.mean(axis=0), (0.0, 1.0 if share else np.inf)
    groups = {"classes": None} | ({} if parents is None else {"parents": parents})
    estimates = {name: over_class_values(mean_run, bounds=bounds, parents=group) for name, group in groups.items()}
    return {**estimates, RUNS: over_seeds(table.mean(axis=1).tolist())}


@dataclass(frozen=True)
class _Part:
    """The variance of a mean over one population, with its degrees of freedom."""

    variance: float
    degrees: float


def difference_of_models(one: BySeed, other: OtherBySeed, parents: Parents | None, level: float = LEVEL) -> Estimate:
    """How much larger a number a class is of one model than of another, for other classes and other seeds at once.

    Classes are the same for both, seeds are not. What classes and seeds do together is in both variances, so the sum
    is too large if anything. What was trained once, or not at all, adds nothing for other seeds.
    """
    gaps = one.mean(axis=0) - other.mean(axis=0)
    value = float(gaps.mean())
    units = np.arange(len(gaps)) if parents is None else np.unique(parents, return_inverse=True)[1]
    number = int(units.max()) + 1
    if number < 2:
        return refuse(value, BOTH, "one class tells nothing about others", level)
    sums = np.bincount(units, gaps - value)
    parts = [_Part(number / (number - 1) * float((sums**2).sum()) / len(gaps) ** 2, number - 1.0)]
    parts += [
        _Part(float(table.mean(axis=1).var(ddof=1)) / len(table), len(table) - 1.0)
        for table in (one, other)
        if len(table) > 1
    ]
    variance = sum(part.variance for part in parts)
    doubt = sum(part.variance**2 / part.degrees for part in parts)
    degrees = variance**2 / doubt if doubt > 0 else number - 1.0
    half = float(stats.t.ppf((1 + level) / 2, degrees) * np.sqrt(variance))
    population = BOTH if len(parts) > 1 else "classes" if parents is None else "parents"
    return Estimate(value=value, low=value - half, high=value + half, level=level, method="t", population=population)
