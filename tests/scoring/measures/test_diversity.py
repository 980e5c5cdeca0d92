"""Diversity by hand, by plain loops, and what it must not depend on."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from fairshot.runtime.errors import FairshotError
from fairshot.scoring.class_values import class_values_apart, over_class_values
from fairshot.scoring.measures.diversity import chords_by_class, deviation_by_class, deviation_share
from fairshot.scoring.measures.vendi import vendi_score


def cloud(seed: int, classes: int = 3, images: int = 5, features: int = 4) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    labels = rng.permutation(np.repeat(np.arange(classes), images))
    return rng.normal(size=(len(labels), features)).astype(np.float32), labels


def test_by_hand() -> None:
    features = np.array([[0.0, 1], [2, 1], [3, 0], [0, 4]], dtype=np.float32)
    labels = np.array([0, 0, 1, 1])
    # Deviations with n - 1: of 0 and 2 sqrt(2), of 1 and 1 none; of 3 and 0 3 / sqrt(2), of 0 and 4 4 / sqrt(2).
    assert deviation_by_class(features, labels) == pytest.approx([math.sqrt(2) / 2, 3.5 / math.sqrt(2)])
    # One pair each: an angle whose cosine is 1 / sqrt(5), and a right angle.
    assert chords_by_class(features, labels) == pytest.approx([math.sqrt(2 - 2 / math.sqrt(5)), math.sqrt(2)])


@given(st.integers(0, 10**6))
def test_by_plain_loops(seed: int) -> None:
    features, labels = cloud(seed)
    deviation, chords = deviation_by_class(features, labels), chords_by_class(features, labels)
    for label in range(3):
        own = [list(map(float, row)) for row in features[labels == label]]
        columns = list(zip(*own, strict=True))
        spread = [math.sqrt(sum((x - sum(c) / 5) ** 2 for x in c) / 4) for c in columns]
        assert deviation[label] == pytest.approx(sum(spread) / 4)
        total = 0.0
        for i in range(5):
            for j in range(i):
                cosine = (
                    sum(a * b for a, b in zip(own[i], own[j], strict=True)) / math.hypot(*own[i]) / math.hypot(*own[j])
                )
                total += math.sqrt(2 - 2 * cosine)
        assert chords[label] == pytest.approx(total)


@given(st.integers(0, 10**6), st.floats(0.1, 10))
def test_shifts_and_scales(seed: int, scale: float) -> None:
    features, labels = cloud(seed)
    moved = (scale * features + np.arange(4)).astype(np.float64)
    assert deviation_by_class(moved, labels) == pytest.approx(scale * deviation_by_class(features, labels), rel=1e-5)
    longer = features.astype(np.float64) * np.random.default_rng(seed).uniform(0.5, 2, (len(labels), 1))
    assert chords_by_class(longer, labels) == pytest.approx(chords_by_class(features, labels), rel=1e-5)


def test_copies_have_no_diversity_at_all() -> None:
    features = np.repeat(np.random.default_rng(0).normal(size=(2, 256)).astype(np.float32), 20, axis=0)
    labels = np.repeat([0, 1], 20)
    assert (deviation_by_class(features, labels) == 0).all()
    assert (chords_by_class(features, labels) == 0).all()
    assert vendi_score(features[:20]) == pytest.approx(1)


def test_one_sample_is_refused() -> None:
    with pytest.raises(FairshotError) as refused:
        deviation_by_class(np.zeros((3, 2), dtype=np.float32), np.array([0, 0, 1]))
    assert str(refused.value) == "class 1 has one sample, and diversity needs two: give more"


def test_vendi_counts_what_differs() -> None:
    assert vendi_score(np.eye(7)) == pytest.approx(7)
    assert vendi_score(np.eye(3)[[0, 0, 1, 1, 2, 2]]) == pytest.approx(3)
    # Two of one kind and one of another: entropy of 2/3 and 1/3.
    entropy = -(2 / 3 * math.log(2 / 3) + 1 / 3 * math.log(1 / 3))
    assert vendi_score(np.eye(2)[[0, 0, 1]]) == pytest.approx(math.exp(entropy))
    assert vendi_score(5 * np.eye(4)) == pytest.approx(4)


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


@pytest.mark.parametrize(("samples", "share"), [(2, 0.7979), (3, 0.8862), (5, 0.9400), (10, 0.9727), (20, 0.9869)])
def test_the_deviation_of_few_is_too_small_by_the_share_in_textbooks(samples: int, share: float) -> None:
    assert deviation_share(samples) == pytest.approx(share, abs=1e-4)
    normal = np.random.default_rng(samples).normal(size=(samples, 20_000))
    assert normal.std(axis=0, ddof=1).mean() == pytest.approx(share, abs=0.01)


def test_the_interval_of_a_share_stays_within_what_is_possible() -> None:
    rare = over_class_values(np.eye(30)[0], bounds=(0.0, 1.0))
    assert rare.low == 0
    assert rare.high == pytest.approx(1 / 30 + 2.0452 / 30, rel=1e-3)  # the deviation of one in n, over the root of n
    assert over_class_values(np.eye(30)[0]).interval[0] < 0
