"""Do two recognisers agree in every entry of their episodes, which is a drawing beside a class?

Entries of one class hang together, as a row where it is asked for and as a column where it is a rival, and so do those
of its parent: intervals come from leaving out one class, or one parent, after another, with all entries that it is in.
"""

import numpy as np
from jaxtyping import Float, Int
from scipy import stats

from fairshot.scoring.agreement import LEAST, TINY, Agreement, fisher_deviation, jackknife_correlation, squared
from fairshot.scoring.class_values import Parents
from fairshot.scoring.recognition import Far, Trials
from fairshot.statistics.estimate import LEVEL

Table = Float[np.ndarray, "unit unit"]


def entry_agreement(
    one: Far, other: Far, trials: Trials, parents: Parents | None = None, level: float = LEVEL
) -> Agreement | str:
    """The correlations of two numbers for every drawing and class of the same trials; or why there are none.

    Intervals and p are for other classes, or other parents with classes of their own; ranks are those among all
    entries.
    """
    if np.ptp(one) == 0 or np.ptp(other) == 0:
        return "all entries have the same value: there is no order"
    units = trials.classes if parents is None else np.unique(parents, return_inverse=True)[1][trials.classes]
    population = "classes" if parents is None else "parents"
    pairs = units[:, :, None] * (units.max() + 1) + units[:, None, :]
    estimates, p_values = {}, {}
    for name, values in (("spearman", [stats.rankdata(each) for each in (one, other)]), ("pearson", [one, other])):
        value, without_one = _correlations(values[0].ravel(), values[1].ravel(), pairs.ravel(), int(units.max()) + 1)
        estimates[name] = jackknife_correlation(value, without_one, population, level)
        p_values[name] = _p_value(value, without_one)
    estimates["r_squared"] = squared(estimates["pearson"], level)
    return Agreement(int(trials.classes.max()) + 1, p_values["spearman"], p_values["pearson"], estimates)


def _correlations(
    one: Float[np.ndarray, " entry"], other: Float[np.ndarray, " entry"], pairs: Int[np.ndarray, " entry"], units: int
) -> tuple[float, Float[np.ndarray, " unit"]]:
    """The correlation of all entries, and of those that a unit has no part in, for each unit."""
    one, other = one - one.mean(), other - other.mean()
    totals, rest = [], []
    for values in (np.ones_like(one), one, other, one * one, other * other, one * other):
        table: Table = np.bincount(pairs, values, units * units).reshape(units, units)
        totals.append(table.sum())
        rest.append(table.sum() - table.sum(axis=0) - table.sum(axis=1) + np.diagonal(table))
    return float(_of_sums(np.array(totals)[:, None])[0]), _of_sums(np.array(rest))


def _of_sums(sums: Float[np.ndarray, "6 row"]) -> Float[np.ndarray, " row"]:
    """Correlations, given the number of entries and the sums of x, y, x squared, y squared and x times y."""
    count, x, y, xx, yy, xy = sums
    with np.errstate(invalid="ignore", divide="ignore"):
        return (xy - x * y / count) / np.sqrt((xx - x * x / count) * (yy - y * y / count))


def _p_value(value: float, without_one: Float[np.ndarray, " unit"]) -> float:
    """That there is no correlation, by the same deviation as the interval; 1 where that cannot be told."""
    if len(without_one) < LEAST or abs(value) > 1 - TINY or not (np.abs(without_one) < 1).all():
        return 1.0
    ratio = abs(np.arctanh(value)) / fisher_deviation(without_one)
    return float(2 * stats.t.sf(ratio, len(without_one) - 1))
