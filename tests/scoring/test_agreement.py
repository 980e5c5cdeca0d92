"""Rank and linear correlations, with intervals that cover."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from fairshot.runtime.errors import FairshotError
from fairshot.scoring.agreement import Agreement, agreement


def test_agreement_is_scipys_and_says_why_not() -> None:
    rng = np.random.default_rng(0)
    one = rng.normal(size=150)
    other = one + rng.normal(size=150)
    found = agreement(one, other)
    assert isinstance(found, Agreement)
    assert found.spearman == pytest.approx(stats.spearmanr(one, other)[0])
    assert found.r_squared == pytest.approx(np.corrcoef(one, other)[0, 1] ** 2)
    rising = agreement(one, np.exp(one))
    assert isinstance(rising, Agreement)
    assert rising.spearman == pytest.approx(1)
    assert rising.r_squared < 0.9
    assert agreement(np.zeros(5), one[:5]) == "all classes have the same value: there is no order"
    assert agreement(one[:2], one[:2]) == "2 classes are too few for a correlation"
    with pytest.raises(FairshotError, match="3 and 5 classes cannot be compared: give the same classes for both"):
        agreement(one[:3], one[:5])


def test_the_interval_of_a_correlation_by_leaving_out_one_after_another() -> None:
    rng = np.random.default_rng(0)
    one = rng.normal(size=30)
    other = one + rng.normal(size=30)
    parents = np.repeat(np.arange(10), 3)
    for groups in (None, parents):
        found = agreement(one, other, groups)
        assert isinstance(found, Agreement)
        for name, correlate in (("spearman", stats.spearmanr), ("pearson", stats.pearsonr)):
            units = np.arange(30) if groups is None else groups
            left = [np.arctanh(correlate(one[units != u], other[units != u])[0]) for u in np.unique(units)]
            count = len(left)
            half = stats.t.ppf(0.975, count - 1) * np.sqrt((count - 1) * np.var(left))
            middle = np.arctanh(correlate(one, other)[0])
            assert found.estimates[name].interval == pytest.approx(np.tanh([middle - half, middle + half]))
            assert found.estimates[name].population == ("classes" if groups is None else "parents")
    few = agreement(one[:5], other[:5])
    assert isinstance(few, Agreement)
    assert few.estimates["spearman"].reason == "5 classes are too few for an interval"
    in_line = agreement(one, 2 * one)
    assert isinstance(in_line, Agreement)
    assert in_line.estimates["pearson"].interval is None
    assert in_line.estimates["pearson"].reason == "all classes are in line"
    some = agreement(one, other, np.minimum(parents, 7))
    assert isinstance(some, Agreement)
    assert some.estimates["r_squared"].reason == "8 parents are too few for an interval"


def test_classes_that_come_in_parents_are_no_independent_classes() -> None:
    rng = np.random.default_rng(1)
    parents = np.repeat(np.arange(40), 3)
    truth, covered = 6 / np.pi * np.arcsin(0.6 / 2), {"classes": 0, "parents": 0}
    for _ in range(200):
        one, noise = 0.9 * rng.normal(size=(2, 40))[:, parents] + np.sqrt(0.19) * rng.normal(size=(2, 120))
        for groups in (None, parents):
            found = agreement(one, 0.6 * one + 0.8 * noise, groups)
            assert isinstance(found, Agreement)
            own = found.estimates["spearman"]
            assert own.low is not None
            assert own.high is not None
            covered[own.population] += own.low <= truth <= own.high
    assert covered["parents"] / 200 > 0.9
    assert covered["classes"] / 200 < 0.85


def test_intervals_of_rank_correlations_cover() -> None:
    rng = np.random.default_rng(0)
    truth, covered = 6 / np.pi * np.arcsin(0.6 / 2), 0  # of normal numbers with a correlation of 0.6
    for _ in range(400):
        one, noise = rng.normal(size=(2, 30))
        found = agreement(one, 0.6 * one + 0.8 * noise)
        assert isinstance(found, Agreement)
        interval = found.estimates["spearman"].interval
        assert interval is not None
        covered += interval[0] <= truth <= interval[1]
    assert 0.92 <= covered / 400 <= 0.98


@given(st.integers(0, 10**6), st.floats(-0.9, 0.9))
def test_intervals_of_an_agreement_hold_it_and_shrink_with_classes(seed: int, slope: float) -> None:
    rng = np.random.default_rng(seed)
    one = rng.normal(size=200)
    other = slope * one + rng.normal(size=200)
    few, many = (agreement(one[:count], other[:count]) for count in (20, 200))
    assert isinstance(few, Agreement)
    assert isinstance(many, Agreement)
    for own in many.estimates.values():
        assert own.low is not None
        assert own.high is not None
        assert own.low <= own.value <= own.high
    assert few.estimates["r_squared"].interval is not None
    assert min(few.estimates["r_squared"].interval) >= 0
    (low, high), (wide_low, wide_high) = (each.estimates["pearson"].interval for each in (many, few))
    assert np.arctanh(high) - np.arctanh(low) == pytest.approx(2 * 1.959964 / np.sqrt(197), rel=0.35), "Fisher's width"
    assert wide_high - wide_low > 1.2 * (high - low)
