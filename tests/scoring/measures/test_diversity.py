"""Diversity by hand, by plain loops, and what it must not depend on."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairshot.runtime.errors import FairshotError
from fairshot.scoring.measures.diversity import deviation_by_class, deviation_share


def cloud(seed: int, classes: int = 3, images: int = 5, features: int = 4) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    labels = rng.permutation(np.repeat(np.arange(classes), images))
    return rng.normal(size=(len(labels), features)).astype(np.float32), labels


def test_by_hand() -> None:
    features = np.array([[0.0, 1], [2, 1], [3, 0], [0, 4]], dtype=np.float32)
    labels = np.array([0, 0, 1, 1])
    # Deviations with n - 1: of 0 and 2 sqrt(2), of 1 and 1 none; of 3 and 0 3 / sqrt(2), of 0 and 4 4 / sqrt(2).
    assert deviation_by_class(features, labels) == pytest.approx([math.sqrt(2) / 2, 3.5 / math.sqrt(2)])


@given(st.integers(0, 10**6))
def test_by_plain_loops(seed: int) -> None:
    features, labels = cloud(seed)
    deviation = deviation_by_class(features, labels)
    for label in range(3):
        own = [list(map(float, row)) for row in features[labels == label]]
        columns = list(zip(*own, strict=True))
        spread = [math.sqrt(sum((x - sum(c) / 5) ** 2 for x in c) / 4) for c in columns]
        assert deviation[label] == pytest.approx(sum(spread) / 4)


@given(st.integers(0, 10**6), st.floats(0.1, 10))
def test_shifts_and_scales(seed: int, scale: float) -> None:
    features, labels = cloud(seed)
    moved = (scale * features + np.arange(4)).astype(np.float64)
    assert deviation_by_class(moved, labels) == pytest.approx(scale * deviation_by_class(features, labels), rel=1e-5)


def test_copies_have_no_diversity_at_all() -> None:
    features = np.repeat(np.random.default_rng(0).normal(size=(2, 256)).astype(np.float32), 20, axis=0)
    assert (deviation_by_class(features, np.repeat([0, 1], 20)) == 0).all()


def test_one_sample_is_refused() -> None:
    with pytest.raises(FairshotError) as refused:
        deviation_by_class(np.zeros((3, 2), dtype=np.float32), np.array([0, 0, 1]))
    assert str(refused.value) == "class 1 has one sample, and diversity needs two: give more"


@pytest.mark.parametrize(("samples", "share"), [(2, 0.7979), (3, 0.8862), (5, 0.9400), (10, 0.9727), (20, 0.9869)])
def test_the_deviation_of_few_is_too_small_by_the_share_in_textbooks(samples: int, share: float) -> None:
    assert deviation_share(samples) == pytest.approx(share, abs=1e-4)
    normal = np.random.default_rng(samples).normal(size=(samples, 20_000))
    assert normal.std(axis=0, ddof=1).mean() == pytest.approx(share, abs=0.01)
