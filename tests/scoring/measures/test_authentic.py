"""Authentic samples by hand and against a loop."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fairshot.scoring.measures.authentic import authentic


def authentic_by_loop(real: np.ndarray, samples: np.ndarray) -> list[bool]:
    """Alaa et al. as a loop."""
    found = []
    for sample in samples:
        near = min(range(len(real)), key=lambda i: math.dist(real[i], sample))
        other = min(math.dist(real[near], image) for i, image in enumerate(real) if i != near)
        found.append(math.dist(real[near], sample) > other)
    return found


@given(st.integers(0, 10**6), st.floats(0.05, 3))
def test_authentic_samples_against_a_loop(seed: int, spread: float) -> None:
    rng = np.random.default_rng(seed)
    real = rng.normal(size=(8, 3))
    samples = real[rng.integers(8, size=12)] + spread * rng.normal(size=(12, 3))
    assert authentic(real, samples).tolist() == authentic_by_loop(real, samples)


def test_authentic_samples_by_hand() -> None:
    real = np.array([[0.0], [1], [5]])
    # Nearest to 0 and to 1, which have a neighbour at 1; nearest to 5, which has one at 4.
    samples = np.array([[0.0], [-1], [-1.5], [2.5], [5], [8], [9.5]])
    assert authentic(real, samples).tolist() == [False, False, True, True, False, False, True]
    assert not authentic(real, real).any()
    twice = np.array([[0.0], [0], [3]])
    assert authentic(twice, np.array([[0.0], [0.01]])).tolist() == [False, True], "real copies leave no room"
