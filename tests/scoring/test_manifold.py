"""Precision, recall, density and coverage against plain references."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairshot.scoring.manifold import compare_manifolds


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


def test_the_numbers_of_the_package_prdc() -> None:
    rng = np.random.default_rng(7)
    real, samples = rng.normal(size=(60, 8)), 1.2 * rng.normal(size=(50, 8)) + 0.4
    found = compare_manifolds(real, samples, 5)
    given_ = [found.precision, found.recall, found.density, found.coverage]
    assert given_ == pytest.approx([0.68, 0.95, 0.46, 0.7833333333333333])


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
