"""Matching clusters with classes against trying every permutation."""

from itertools import permutations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fairshot.runtime.assignment import UNMATCHED, count_pairs, match_clusters


@given(st.integers(0, 10_000), st.integers(1, 4), st.integers(1, 4))
def test_no_other_match_agrees_more_often(seed: int, clusters: int, classes: int) -> None:
    counts = np.random.default_rng(seed).integers(0, 6, (1, 4, 4))
    counts[:, clusters:], counts[:, :, classes:] = 99, 99  # what an episode does not have must not be looked at
    matched = match_clusters(counts, np.array([clusters]), np.array([classes]))[0]
    assert (matched[classes:] == UNMATCHED).all()
    assert (matched[:classes] != UNMATCHED).sum() == min(clusters, classes)
    best = max(
        sum(counts[0, cluster, class_] for class_, cluster in zip(range(classes), order, strict=False))
        if clusters >= classes
        else sum(counts[0, cluster, class_] for cluster, class_ in zip(range(clusters), order, strict=False))
        for order in permutations(range(max(clusters, classes)))
    )
    own = sum(counts[0, cluster, class_] for class_, cluster in enumerate(matched) if cluster != UNMATCHED)
    assert own == best


def test_pairs_are_counted_and_padding_is_not() -> None:
    counts = count_pairs(np.array([[0, 0, 1, 2], [1, 1, 1, 1]]), np.array([[0, 1, 1, -1], [0, 0, 1, 1]]), (3, 2))
    assert counts.tolist() == [[[1, 1], [0, 1], [0, 0]], [[0, 0], [2, 2], [0, 0]]]
