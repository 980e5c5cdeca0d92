"""The sum of chords by hand, by plain loops, and what it must not depend on."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairshot.scoring.measures.chords import chords_by_class


def cloud(seed: int, classes: int = 3, images: int = 5, features: int = 4) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    labels = rng.permutation(np.repeat(np.arange(classes), images))
    return rng.normal(size=(len(labels), features)).astype(np.float32), labels


def test_by_hand() -> None:
    features = np.array([[0.0, 1], [2, 1], [3, 0], [0, 4]], dtype=np.float32)
    labels = np.array([0, 0, 1, 1])
    # One pair each: an angle whose cosine is 1 / sqrt(5), and a right angle.
    assert chords_by_class(features, labels) == pytest.approx([math.sqrt(2 - 2 / math.sqrt(5)), math.sqrt(2)])


@given(st.integers(0, 10**6))
def test_by_plain_loops(seed: int) -> None:
    features, labels = cloud(seed)
    chords = chords_by_class(features, labels)
    for label in range(3):
        own = [list(map(float, row)) for row in features[labels == label]]
        total = 0.0
        for i in range(5):
            for j in range(i):
                cosine = (
                    sum(a * b for a, b in zip(own[i], own[j], strict=True)) / math.hypot(*own[i]) / math.hypot(*own[j])
                )
                total += math.sqrt(2 - 2 * cosine)
        assert chords[label] == pytest.approx(total)


@given(st.integers(0, 10**6))
def test_lengths_do_not_matter(seed: int) -> None:
    features, labels = cloud(seed)
    longer = features.astype(np.float64) * np.random.default_rng(seed).uniform(0.5, 2, (len(labels), 1))
    assert chords_by_class(longer, labels) == pytest.approx(chords_by_class(features, labels), rel=1e-5)


def test_copies_have_no_diversity_at_all() -> None:
    features = np.repeat(np.random.default_rng(0).normal(size=(2, 256)).astype(np.float32), 20, axis=0)
    assert (chords_by_class(features, np.repeat([0, 1], 20)) == 0).all()
