"""Originality and its bands by hand."""

import numpy as np
import pytest

from fairshot.scoring.originality_curve import compare_originality, distances_to_exemplar, rank_curve


def test_originality_is_the_distance_to_the_exemplar() -> None:
    features, exemplars = np.array([[3.0, 4], [1, 1], [0, 0]]), np.array([[0.0, 0], [1, 0]])
    assert distances_to_exemplar(features, exemplars, np.array([0, 1, 1])).tolist() == [5, 1, 1]


def test_people_compared_with_themselves_are_no_distance_away() -> None:
    rng = np.random.default_rng(0)
    human = rng.exponential(size=200), rng.random(200)
    found = compare_originality(human, human)
    assert found.distance == 0
    assert found.beyond == 0
    assert [band.share for band in found.bands] == pytest.approx([0.2] * 5)


def test_bands_by_hand() -> None:
    human = np.array([1.0, 2, 3, 4]), np.array([1.0, 1, 0.5, 0.5])
    samples = np.array([0.0, 2.5, 9, 3.5]), np.array([0.8, 0.9, 0.0, 0.5])
    found = compare_originality(samples, human, bands=2)
    first, second = found.bands
    assert (first.low, first.high, first.share, first.recognizability, first.human) == (
        0,
        2.5,
        0.5,
        pytest.approx(0.85),
        1,
    )
    assert (second.low, second.high, second.share, second.recognizability, second.human) == (2.5, 4, 0.25, 0.5, 0.5)
    assert found.beyond == 0.25
    assert found.distance == pytest.approx(0.075)
    far = compare_originality((np.array([99.0]), np.array([1.0])), human)
    assert far.distance is None
    assert far.beyond == 1


def test_equal_originality_is_in_one_band() -> None:
    human = np.array([0.0, 0, 0, 0, 1, 2]), np.array([1.0, 1, 1, 1, 0, 0])
    found = compare_originality(human, human, bands=3)
    assert [band.share for band in found.bands] == pytest.approx([4 / 6, 0, 2 / 6])
    assert [band.recognizability for band in found.bands] == [1, None, 0]


def test_where_most_samples_are_beyond_people_there_is_no_curve() -> None:
    human = np.arange(10.0), np.ones(10)
    far = np.array([3.0, 20.0, 30.0])
    found = compare_originality((far, np.ones(3)), human)
    assert found.beyond == pytest.approx(2 / 3)
    assert found.distance is None
    half = np.array([1.0, 3, 5, 20, 30, 40])
    assert compare_originality((half, np.ones(6)), human).distance == 0


def test_copies_are_in_one_band_and_have_no_curve() -> None:
    human = np.arange(10.0), np.linspace(1, 0.5, 10)
    assert compare_originality((np.zeros(30), np.ones(30)), human).distance is None
    two = compare_originality((np.array([0.0, 3.0]), np.ones(2)), human)
    assert (two.distance, two.beyond) == (None, 0)
    assert compare_originality((np.array([0.0, 3.0, 5.0]), np.ones(3)), human).distance is not None


def test_ranks_are_a_plain_loop_over_classes() -> None:
    rng = np.random.default_rng(1)
    labels = rng.permutation(np.repeat([0, 1, 2], [20, 19, 12]))
    far, known = rng.random(len(labels)), rng.random(len(labels))
    found = rank_curve((far, known), labels)
    wanted = []
    for number in range(10):
        means = []
        for one in range(3):
            rows = np.flatnonzero(labels == one)
            rows = rows[np.argsort(far[rows])]
            chosen = [row for place, row in enumerate(rows) if place * 10 // len(rows) == number]
            means.append((far[chosen].mean(), known[chosen].mean()))
        wanted.append(np.mean(means, axis=0))
    np.testing.assert_allclose(found, wanted)
    assert (np.diff(found[:, 0]) > 0).all()


def test_a_class_of_few_counts_where_it_has_samples() -> None:
    labels = np.array([0, 0, 1, 1])
    found = rank_curve((np.array([1.0, 2.0, 3.0, 5.0]), np.array([1.0, 0.0, 0.5, 0.5])), labels)
    np.testing.assert_allclose(found, [[2.0, 0.75], [3.5, 0.25]])
    uneven = rank_curve((np.arange(3.0), np.arange(3.0)), np.array([0, 0, 1]))
    np.testing.assert_allclose(uneven, [[1.0, 1.0], [1.0, 1.0]])
