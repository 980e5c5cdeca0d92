"""The Fréchet distance against the root of a matrix, and the bias of few samples."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import sqrtm

from fairshot.scoring.measures.frechet import cloud_of, extrapolated_distance, frechet_distance, on_number


@given(st.integers(0, 10**6))
def test_frechet_against_the_matrix_root(seed: int) -> None:
    rng = np.random.default_rng(seed)
    one, other = rng.normal(size=(40, 4)) @ rng.normal(size=(4, 4)), rng.normal(size=(30, 4)) + 1
    a, b = np.cov(one, rowvar=False), np.cov(other, rowvar=False)
    gap = one.mean(0) - other.mean(0)
    wanted = gap @ gap + np.trace(a + b - 2 * np.real(sqrtm(a @ b)))
    assert frechet_distance(one, other) == pytest.approx(wanted, rel=1e-6, abs=1e-8)


def test_frechet_of_equal_clouds_and_of_a_shift() -> None:
    cloud = np.random.default_rng(0).normal(size=(50, 80))  # fewer images than features
    assert frechet_distance(cloud, cloud) == pytest.approx(0, abs=1e-6)
    assert frechet_distance(cloud, cloud + 2) == pytest.approx(4 * 80, rel=1e-6)
    told = "images: both move with their number, and only sets of as many can be compared"
    assert on_number(3000, 256) == f"the Fréchet distance and the inception score stand on 3,000 {told}"
    assert on_number(2000, 256) == (
        f"the Fréchet distance and the inception score stand on 2,000 {told}; with 256 features the distance is too "
        "large below about 2,560"
    )


def test_extrapolation_takes_most_of_the_bias_of_few_samples_away() -> None:
    rng = np.random.default_rng(3)
    real = cloud_of(rng.normal(size=(200_000, 8)))
    small = [rng.normal(size=(120, 8)) for _ in range(60)]
    plain = np.mean([frechet_distance(rng.normal(size=(20_000, 8)), each) for each in small])
    straight = np.mean([extrapolated_distance(real, each) for each in small])
    assert plain > 0.1, "the truth is 0"
    assert abs(straight) < 0.2 * plain
