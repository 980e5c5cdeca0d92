"""Means over classes: intervals that cover fresh classes, and paired differences."""

import numpy as np
import pytest
from scipy import stats

from fairshot.scoring.class_values import class_values_apart, over_class_values


def test_the_mean_over_classes_covers_fresh_classes() -> None:
    rng = np.random.default_rng(0)
    hits = []
    for _ in range(2000):
        estimate = over_class_values(rng.exponential(size=30))
        assert estimate.low is not None
        assert estimate.high is not None
        hits.append(estimate.low <= 1 <= estimate.high)
    assert 0.91 < np.mean(hits) < 0.96  # exponential values are skewed
    assert over_class_values(np.array([1.0, 2.0, 3.0])).interval == pytest.approx((-0.484138, 4.484138), abs=1e-5)
    assert over_class_values(np.zeros(4)).reason == "all classes have the same value: nothing varies"
    assert over_class_values(np.zeros(1)).reason == "one class tells nothing about others"


def test_two_numbers_a_class_are_compared_by_a_paired_t_test() -> None:
    rng = np.random.default_rng(3)
    one = rng.normal(size=40)
    other = one + 0.3 * rng.normal(size=40) - 0.1
    found, reference = class_values_apart(one, other), stats.ttest_rel(one, other)
    assert found.p_value == pytest.approx(reference.pvalue)
    assert found.estimate.interval == pytest.approx(tuple(reference.confidence_interval(0.95)))
    assert found.forecast.if_true == pytest.approx(stats.norm.sf(abs(found.estimate.value) / stats.sem(one - other)))
    same = class_values_apart(one, one)
    assert (same.estimate.value, same.estimate.interval, same.p_value) == (0, None, None)
    assert same.estimate.reason == "all classes have the same value: nothing varies"


def test_classes_that_come_in_parents_count_as_parents() -> None:
    rng = np.random.default_rng(4)
    parents, covered = np.repeat(np.arange(20), 3), {"classes": 0, "parents": 0}
    for _ in range(1000):
        values = rng.normal(size=20)[parents] + rng.normal(size=60)
        for own in (over_class_values(values), over_class_values(values, parents=parents)):
            assert own.low is not None
            assert own.high is not None
            covered[own.population] += own.low <= 0 <= own.high
    assert covered["parents"] / 1000 == pytest.approx(0.95, abs=0.02)
    assert covered["classes"] / 1000 < 0.9
    one, other = rng.normal(size=(2, 6))
    alone = class_values_apart(one, other, parents=np.arange(6)[::-1])
    assert alone.estimate.interval == pytest.approx(class_values_apart(one, other).estimate.interval)
    assert over_class_values(one, parents=np.zeros(6, dtype=int)).reason == "one parent tells nothing about others"


def test_the_interval_of_a_share_stays_within_what_is_possible() -> None:
    rare = over_class_values(np.eye(30)[0], bounds=(0.0, 1.0))
    assert rare.low == 0
    assert rare.high == pytest.approx(1 / 30 + 2.0452 / 30, rel=1e-3)  # the deviation of one in n, over the root of n
    assert over_class_values(np.eye(30)[0]).interval[0] < 0
