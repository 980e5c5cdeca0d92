"""Precision, recall, density, coverage and the Fréchet distance against plain references."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import sqrtm

from fairshot.scoring.measures.authenticity import authentic
from fairshot.scoring.measures.frechet import (
    cloud_of,
    extrapolated_distance,
    frechet_distance,
    inception_score,
    on_number,
)
from fairshot.scoring.measures.manifold import compare_manifolds
from fairshot.scoring.measures.vendi import vendi_score


def reference(real: np.ndarray, samples: np.ndarray, k: int) -> list[float]:
    """Naeem et al. as a loop: strictly inside."""

    def radius(points: np.ndarray, i: int) -> float:
        return sorted(math.dist(points[i], other) for j, other in enumerate(points) if j != i)[k - 1]

    real_radii = [radius(real, i) for i in range(len(real))]
    sample_radii = [radius(samples, j) for j in range(len(samples))]
    inside = [[math.dist(r, s) < real_radii[i] for s in samples] for i, r in enumerate(real)]
    back = [[math.dist(r, s) < sample_radii[j] for j, s in enumerate(samples)] for r in real]
    columns = list(zip(*inside, strict=True))
    return [
        sum(map(any, columns)) / len(samples),
        sum(map(any, back)) / len(real),
        sum(map(sum, columns)) / k / len(samples),
        sum(map(any, inside)) / len(real),
    ]


@given(st.integers(0, 10**6), st.integers(1, 4), st.floats(0.3, 3))
def test_against_a_loop(seed: int, k: int, spread: float) -> None:
    rng = np.random.default_rng(seed)
    real, samples = rng.normal(size=(9, 3)), spread * rng.normal(size=(7, 3)) + rng.normal(size=3)
    found = compare_manifolds(real, samples, k)
    given_ = [found.precision, found.recall, found.density, found.coverage]
    assert given_ == pytest.approx(reference(real, samples, k))
    assert found.neighbours == k


def test_the_numbers_of_the_packages_prdc_and_vendi_score() -> None:
    rng = np.random.default_rng(7)
    real, samples = rng.normal(size=(60, 8)), 1.2 * rng.normal(size=(50, 8)) + 0.4
    found = compare_manifolds(real, samples, 5)
    given_ = [found.precision, found.recall, found.density, found.coverage]
    assert given_ == pytest.approx([0.68, 0.95, 0.46, 0.7833333333333333])
    assert vendi_score(real) == pytest.approx(7.764017483444558)


def test_identical_sets_give_one_even_if_all_are_copies() -> None:
    cloud = np.random.default_rng(0).normal(size=(20, 5))
    for points in (cloud, np.repeat(cloud[:1], 20, axis=0), cloud[[0] * 8 + list(range(12))]):
        found = compare_manifolds(points, points)
        assert (found.precision, found.recall, found.coverage) == (1, 1, 1)


def test_far_samples_and_copies_of_one_image_by_hand() -> None:
    real = np.arange(10.0)[:, None]
    far = compare_manifolds(real, real + 100, 2)
    assert (far.precision, far.recall, far.density, far.coverage) == (0, 0, 0, 0)
    # Copies of the image at 4: their own balls have no room, and it is in the balls of those nearer than their second neighbour.
    copies = compare_manifolds(real, np.full((10, 1), 4.0), 2)
    # Radii are 2 at both ends and 1 elsewhere: strictly inside is the image at 4 alone.
    assert (copies.precision, copies.recall, copies.density, copies.coverage) == (1, 0.1, 0.5, 0.1)


def test_few_images_lower_the_neighbours() -> None:
    assert compare_manifolds(np.eye(4), np.eye(4)[:3], 5).neighbours == 2


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


def test_inception_score_by_hand() -> None:
    assert inception_score(np.eye(5)[[0, 1, 2, 3, 4, 0, 1, 2, 3, 4]]) == pytest.approx(5)
    assert inception_score(np.full((6, 4), 0.25)) == pytest.approx(1)
    assert inception_score(np.eye(5)[[2, 2, 2]]) == pytest.approx(1)
    half = np.array([[0.9, 0.1], [0.1, 0.9]])
    wanted = math.exp(0.9 * math.log(1.8) + 0.1 * math.log(0.2))
    assert inception_score(half) == pytest.approx(wanted)
