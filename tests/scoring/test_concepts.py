"""Which concepts are shown, in which order, and where their drawings lie."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairshot.runtime.errors import FairshotError
from fairshot.scoring.concepts import DRAWINGS, Hand, map_neighbours, rank_concepts, shown_ranks, spread
from fairshot.scoring.neighbour_map import neighbour_map


def make_hand(classes: int = 5, each: int = 3, *, among: bool = True) -> Hand:
    """Drawings that tell by one dark pixel whose they are; the exemplar is the second of each class."""
    drawings = np.full((classes * each, 6, 8), 255, dtype=np.uint8)
    for row in range(len(drawings)):
        drawings[row, row // each % 6, row % each % 8] = row % 250
    labels = np.repeat(np.arange(classes), each)
    names = tuple(f"class{c}" for c in range(classes))
    return Hand(
        name="human" if among else "mine",
        class_names=names,
        drawings=drawings,
        labels=labels,
        exemplars=drawings[1::each],
        among=among,
    )


@given(st.integers(1, 200), st.integers(0, 12), st.integers(0, 40))
def test_both_ends_are_shown_and_some_between(classes: int, ends: int, between: int) -> None:
    ranks = shown_ranks(classes, ends, between).tolist()
    assert ranks == sorted(set(ranks))
    assert len(ranks) == min(classes, 2 * ends + between) or classes <= 2 * ends
    assert set(range(min(ends, classes))) <= set(ranks)
    assert set(range(max(classes - ends, 0), classes)) <= set(ranks)


def test_the_paper_would_show_fifty_of_150() -> None:
    ranks = shown_ranks(150)
    assert len(ranks) == 50
    between = ranks[10:40]
    assert (between[0], between[-1]) == (10, 139)
    assert set(np.diff(between)) <= {4, 5}
    assert spread(3, 20).tolist() == [0, 1, 2]
    assert spread(0, 20).tolist() == []


def test_ranks_by_hand() -> None:
    hand = make_hand()
    found = rank_concepts(hand, np.array([0.3, 0.1, 0.5, 0.1, 0.2]))
    assert [(one.name, one.rank, one.diversity) for one in found] == [
        ("class1", 1, 0.1),
        ("class3", 2, 0.1),
        ("class4", 3, 0.2),
        ("class0", 4, 0.3),
        ("class2", 5, 0.5),
    ]
    assert np.array_equal(found[0].drawings, hand.drawings[[4, 3, 5]]), "the exemplar first, and once"
    assert [one.rank for one in rank_concepts(hand, np.arange(5.0), ends=1, between=1)] == [1, 2, 5]


def test_beside_samples_the_exemplar_comes_on_top() -> None:
    hand = make_hand(among=False)
    (first, *_) = rank_concepts(hand, np.arange(5.0))
    assert np.array_equal(first.drawings, hand.drawings[[1, 0, 1, 2]])
    many = rank_concepts(make_hand(2, 40, among=False), np.arange(2.0))
    assert [len(one.drawings) for one in many] == [DRAWINGS] * 2


def test_a_map_of_neighbours() -> None:
    hand = make_hand(6, 8)
    rng = np.random.default_rng(0)
    features = 50 * rng.normal(size=(6, 12))[hand.labels] + rng.normal(size=(48, 12))
    found = map_neighbours(hand, features, np.arange(6.0)[::-1].copy(), classes=3)
    assert found.names == ("class5", "class3", "class0") or found.names == ("class5", "class2", "class0")
    assert np.bincount(found.labels).tolist() == [8, 8, 8]
    assert np.flatnonzero(found.exemplar).tolist() == [0, 8, 16], "first of each class"
    assert found.places.min() == 0
    assert found.places.max() == 1
    apart = np.linalg.norm(found.places[:, None] - found.places, axis=2)
    np.fill_diagonal(apart, np.inf)
    assert np.array_equal(found.labels[apart.argmin(axis=1)], found.labels), "the nearest is of the same class"
    again = map_neighbours(hand, features, np.arange(6.0)[::-1].copy(), classes=3)
    assert np.array_equal(found.places, again.places)


def test_maps_of_copies_and_of_few() -> None:
    assert np.isfinite(neighbour_map(np.ones((6, 4)))).all()
    with pytest.raises(FairshotError, match="3 images cannot be laid out by their neighbours: give 4 at least"):
        neighbour_map(np.eye(3))
