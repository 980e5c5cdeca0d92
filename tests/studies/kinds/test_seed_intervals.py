"""Intervals for other seeds and classes, beside formulas written out."""

import numpy as np
import pytest
from scipy import stats

from fairshot.studies.kinds.seed_intervals import difference_of_models, model_estimates, over_seeds


def test_other_seeds_have_a_t_interval() -> None:
    estimate = over_seeds([1.0, 2.0, 4.0])
    low, high = stats.t.interval(0.95, 2, loc=7 / 3, scale=np.std([1, 2, 4], ddof=1) / np.sqrt(3))
    assert (estimate.low, estimate.high, estimate.population) == (pytest.approx(low), pytest.approx(high), "runs")
    alone = over_seeds([1.0])
    assert (alone.interval, alone.reason) == (None, "one run tells nothing about others")


def test_a_model_has_intervals_for_classes_parents_and_seeds() -> None:
    table = np.random.default_rng(0).normal(0.5, 0.1, (2, 12))
    found = model_estimates(table, np.repeat(np.arange(4), 3), share=True)
    assert list(found) == ["classes", "parents", "runs"]
    assert all(estimate.value == pytest.approx(table.mean()) for estimate in found.values())
    low, high = stats.t.interval(0.95, 11, loc=table.mean(), scale=stats.sem(table.mean(axis=0)))
    assert found["classes"].interval == pytest.approx((low, high))


def test_what_was_trained_once_differs_as_a_paired_t_test_says() -> None:
    rng = np.random.default_rng(1)
    one, other = rng.normal(1, 1, (1, 20)), rng.normal(0, 1, (1, 20))
    found = difference_of_models(one, other, None)
    test = stats.ttest_rel(one[0], other[0]).confidence_interval(0.95)
    assert found.interval == pytest.approx((test.low, test.high))
    assert found.population == "classes"


def test_seeds_that_differ_widen_the_interval() -> None:
    rng = np.random.default_rng(2)
    classes = rng.normal(size=20)
    same, other = np.stack([classes, classes]), rng.normal(size=(1, 20))
    apart = same + np.array([[0.5], [-0.5]])
    narrow, wide = (difference_of_models(table, other, None) for table in (same, apart))
    assert narrow.value == pytest.approx(wide.value)
    assert wide.low is not None
    assert narrow.low is not None
    assert wide.low < narrow.low
    assert wide.population == "runs and classes"


def test_intervals_hold_for_other_classes_and_seeds() -> None:
    rng = np.random.default_rng(3)
    held = 0
    for _ in range(400):
        classes, seeds = rng.normal(0, 0.5, (2, 1, 20)), rng.normal(0, 0.2, (2, 3, 1))
        one, other = classes + seeds + rng.normal(0, 0.1, (2, 3, 20))
        found = difference_of_models(one, other, None)
        assert found.low is not None
        assert found.high is not None
        held += found.low <= 0 <= found.high
    assert held / 400 >= 0.92
