"""Copies are found as by looking at all pairs."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse.csgraph import connected_components

from fairshot.checks.near_copies import NEAR_IMAGES, find_near_copies
from fairshot.sources.source import Source
from tests.checks.worlds import make_images, make_source


def _by_all_pairs(images: np.ndarray) -> np.ndarray:
    vectors = images.reshape(len(images), -1).astype(np.float64)
    vectors -= vectors.mean(axis=1, keepdims=True)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    near = np.linalg.norm(vectors[:, None] - vectors[None], axis=2) < NEAR_IMAGES
    return connected_components(near, directed=False)[1]


def _same_groups(a: np.ndarray, b: np.ndarray) -> bool:
    return bool(((a[:, None] == a) == (b[:, None] == b)).all())


@given(seed=st.integers(0, 10_000), noise=st.floats(0, 12), copies=st.integers(1, 30))
def test_groups_are_those_of_all_pairs(seed: int, noise: float, copies: int) -> None:
    rng = np.random.default_rng(seed)
    images = make_images(classes=5, images=8, seed=seed).astype(np.float64).reshape(40, 12, 12)
    images[rng.integers(0, 40, copies)] = images[rng.integers(0, 40, copies)]
    images = np.clip(images + rng.normal(scale=noise, size=images.shape), 0, 255).round().astype(np.uint8)
    alike = find_near_copies([make_source(images.reshape(5, 8, 12, 12))])
    identical = (images[:, None] == images).all(axis=(2, 3))
    assert ((alike.identical[:, None] == alike.identical) == identical).all()
    assert _same_groups(alike.near, _by_all_pairs(images))


def test_parts_back_to_back_are_as_the_whole() -> None:
    images = make_images()
    images[3, 2], images[9, 4] = images[1, 1], images[1, 1]
    whole = make_source(images)
    parts: list[Source] = [whole.select_classes(np.arange(4, 12)), whole.select_classes(np.arange(4))]
    order = np.concatenate([part.image_ids for part in parts])
    assert _same_groups(find_near_copies([whole]).near[order], find_near_copies(parts).near)
