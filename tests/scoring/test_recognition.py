"""The published trials, the exact expectation behind them, and an interval that covers fresh classes."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.fingerprints import fingerprint
from fairshot.scoring.recognition import (
    Trials,
    distances_in_trials,
    draw_classes,
    draw_trials,
    expected_accuracy,
    margins,
    recognise,
    recognised_more,
)


def test_the_published_numbers() -> None:
    episodes = draw_classes(150)
    assert episodes.shape == (3750, 20)
    assert (np.bincount(episodes.ravel()) == 500).all()
    assert (np.diff(np.sort(episodes, axis=1), axis=1) > 0).all(), "no class is twice in an episode"
    # Chunks of 140: the first seven episodes hold classes 0 to 139, the next seven 140 to 149 and 0 to 129; the last 100.
    assert set(episodes[:7].ravel()) == set(range(140))
    assert set(episodes[7:14].ravel()) == {*range(140, 150), *range(130)}
    assert set(episodes[-5:].ravel()) == set(range(50, 150))
    assert fingerprint(episodes) == fingerprint(draw_classes(150))
    assert fingerprint(episodes) != fingerprint(draw_classes(150, seed=1))


@given(st.integers(2, 40), st.integers(2, 10), st.integers(1, 6))
def test_no_class_twice_and_all_as_often(classes: int, way: int, times: int) -> None:
    if way > classes:
        with pytest.raises(FairshotError) as refused:
            draw_classes(classes, way=way, times=times)
        assert str(refused.value) == (
            f"{way} classes per episode cannot be drawn from {classes}: give samples of more classes, or way={classes}"
        )
        return
    if times == 1 and classes % way:
        with pytest.raises(FairshotError) as refused:
            draw_classes(classes, way=way, times=times)
        assert str(refused.value) == (
            f"{classes} classes asked for once fill no whole episodes of {way}, and some would never be asked for: say "
            "times=2 or more"
        )
        return
    episodes = draw_classes(classes, way=way, times=times)
    assert (np.diff(np.sort(episodes, axis=1), axis=1) > 0).all()
    counts = np.bincount(episodes.ravel(), minlength=classes)
    assert counts.max() <= times
    assert counts.min() >= 1
    assert classes * times - counts.sum() < way


def test_samples_are_of_their_class_and_those_that_may_not_ask_do_not() -> None:
    labels = np.array([2, 0, 1, 1, 0, 2, 2, 0])
    asking = np.array([True, True, True, False, True, False, True, True])
    trials = draw_trials(labels, asking, way=2, times=100)
    assert np.array_equal(labels[trials.samples], trials.classes)
    drawn = np.bincount(trials.samples.ravel(), minlength=8)
    assert (drawn[~asking] == 0).all()
    assert 20 < drawn[1] < 50
    assert drawn[2] == 100
    with pytest.raises(FairshotError, match="class 1 has no sample to recognise"):
        draw_trials(labels, labels != 1, way=2)


def test_by_hand_and_ties_are_not_recognised() -> None:
    distances = np.array([[0.0, 1, 2], [1, 1, 2], [3, 2, 1], [0, 2, 5]])
    labels = np.array([0, 1, 2, 2])
    # Of the two samples of class 2 one is right and one is nearer to all others; class 1 is as near to class 0.
    assert expected_accuracy(distances, labels, way=2) == pytest.approx([1, 0.5, 1, 0])
    trials = draw_trials(labels, way=3, times=200)
    found = recognise(distances_in_trials(distances, trials), labels, trials)
    assert found.by_class[0] == 1
    assert found.by_class[1] == 0
    assert found.by_class[2] == pytest.approx(0.5, abs=0.1)
    assert found.estimate.value == pytest.approx(found.by_class.mean())


@given(st.integers(0, 10**6), st.integers(2, 5))
def test_the_expectation_is_the_mean_over_all_choices_of_others(seed: int, way: int) -> None:
    rng = np.random.default_rng(seed)
    distances, labels = rng.integers(0, 6, (4, 6)).astype(float), rng.integers(0, 6, 4)
    for row, label, given_ in zip(distances, labels, expected_accuracy(distances, labels, way=way), strict=True):
        others = [c for c in range(6) if c != label]
        right = [all(row[o] > row[label] for o in chosen) for chosen in combinations(others, way - 1)]
        assert given_ == pytest.approx(np.mean(right))


def world(rng: np.random.Generator, classes: int = 60, samples: int = 10) -> tuple[np.ndarray, np.ndarray]:
    """Gaussian classes whose exemplars are off their middle, some wider than others."""
    exemplars, width = rng.normal(size=(classes, 6)), 0.5 * np.exp(0.4 * rng.normal(size=classes))
    middle = exemplars + 0.8 * width[:, None] * rng.normal(size=(classes, 6))
    drawn = middle[:, None] + width[:, None, None] * rng.normal(size=(classes, samples, 6))
    return cdist(drawn.reshape(-1, 6), exemplars), np.repeat(np.arange(classes), samples)


@given(st.integers(0, 50), st.integers(2, 5))
def test_a_margin_is_above_0_where_a_sample_is_recognised(seed: int, way: int) -> None:
    far = np.random.default_rng(seed).integers(0, 4, (3, way, way)).astype(np.float64)
    found = margins(far)
    for episode, sample in np.ndindex(3, way):
        own, others = far[episode, sample, sample], np.delete(far[episode, sample], sample)
        assert found[episode, sample] == others.min() - own
    classes = np.tile(np.arange(way), (3, 1))
    right = recognise(far, np.arange(way), Trials(classes, classes)).by_class
    assert right == pytest.approx((found > 0).mean(axis=0))


def test_trials_estimate_the_expectation() -> None:
    distances, labels = world(np.random.default_rng(0))
    trials = draw_trials(labels)
    found = recognise(distances_in_trials(distances, trials), labels, trials)
    exact = np.bincount(labels, expected_accuracy(distances, labels)) / 10
    assert found.by_class == pytest.approx(exact, abs=0.09)
    assert found.estimate.value == pytest.approx(exact.mean(), abs=0.006)


def test_the_interval_covers_fresh_classes_as_asked_and_as_rivals() -> None:
    rng = np.random.default_rng(1)
    truth = np.mean([expected_accuracy(*world(rng)).mean() for _ in range(200)])
    hits = []
    for run in range(80):
        distances, labels = world(rng)
        trials = draw_trials(labels, times=300, seed=run)
        estimate = recognise(distances_in_trials(distances, trials), labels, trials).estimate
        assert estimate.low is not None
        assert estimate.high is not None
        hits.append(estimate.low <= truth <= estimate.high)
    assert np.mean(hits) > 0.87  # 95% with a deviation of 2.4


def test_the_mean_is_over_classes_also_where_the_last_fill_no_episode() -> None:
    distances, labels = world(np.random.default_rng(3), classes=21)
    trials = draw_trials(labels, way=4, times=9)
    found = recognise(distances_in_trials(distances, trials), labels, trials)
    assert found.correct.mean() != pytest.approx(found.by_class.mean(), abs=1e-6)
    assert found.estimate.value == pytest.approx(found.by_class.mean())


def test_without_errors_there_is_no_interval() -> None:
    labels = np.repeat(np.arange(4), 3)
    distances = np.where(labels[:, None] == np.arange(4), 0.0, 1.0)
    trials = draw_trials(labels, way=3, times=30)
    found = recognise(distances_in_trials(distances, trials), labels, trials)
    assert (found.by_class == 1).all()
    assert found.estimate.interval is None
    assert found.estimate.reason == "all answers are right, or none: nothing varies"


def test_two_sets_in_the_same_trials_by_hand() -> None:
    labels = np.repeat(np.arange(6), 2)
    right = np.where(labels[:, None] == np.arange(6), 0.0, 1.0)
    wrong = np.where(labels[:, None] == 0, 1 - right, right)  # class 0 is taken for any other
    trials = draw_trials(labels, way=3, times=40)
    one, other = (recognise(distances_in_trials(distances, trials), labels, trials) for distances in (right, wrong))
    more = recognised_more(one, other)
    assert more.estimate.value == pytest.approx(1 / 6)
    assert recognised_more(other, one).estimate.value == pytest.approx(-1 / 6)
    same = recognised_more(one, one)
    assert (same.estimate.value, same.p_value, same.estimate.reason) == (0, None, "no answer differs")
    elsewhere = draw_trials(labels, way=3, times=40, seed=1)
    with pytest.raises(FairshotError) as refused:
        recognised_more(one, recognise(distances_in_trials(right, elsewhere), labels, elsewhere))
    assert str(refused.value) == (
        "two sets were asked for in different trials: draw both with the same classes and seed"
    )


def two_generators(rng: np.random.Generator, further: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Two sets of samples of the same classes; the second is that much farther from its exemplars."""
    classes, samples = 60, 10
    exemplars, width = rng.normal(size=(classes, 6)), 0.5 * np.exp(0.4 * rng.normal(size=classes))
    noise = rng.normal(size=(2, classes, samples, 6)) * np.array([1, further])[:, None, None, None]
    sets = exemplars[:, None] + width[:, None, None] * (0.8 * rng.normal(size=(2, classes, 1, 6)) + noise)
    one, other = (cdist(own.reshape(-1, 6), exemplars) for own in sets)
    return one, other, np.repeat(np.arange(classes), samples)


@pytest.mark.parametrize(("further", "runs", "low", "high"), [(1.0, 100, 0.0, 0.1), (1.5, 20, 0.7, 1.0)])
def test_two_generators_are_told_apart_if_they_differ(further: float, runs: int, low: float, high: float) -> None:
    rng = np.random.default_rng(2)
    found = []
    for run in range(runs):
        one, other, labels = two_generators(rng, further)
        trials = draw_trials(labels, times=300, seed=run)
        more = recognised_more(*(recognise(distances_in_trials(each, trials), labels, trials) for each in (one, other)))
        assert more.p_value is not None
        found.append(more.p_value < 0.05)
    assert low <= np.mean(found) <= high  # by chance, 5% with a deviation of 2.2
