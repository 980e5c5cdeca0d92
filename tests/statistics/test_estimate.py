"""Hopeless classes that were not drawn: how far an interval for other classes must reach."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairshot.learners.classifiers.prototypes import Prototypes
from fairshot.sources.array import from_arrays
from fairshot.sources.source import Source
from fairshot.statistics.answers import layout_of, tabulate
from fairshot.statistics.estimate import Spread, unseen_share
from fairshot.statistics.intervals.classes import over_classes
from fairshot.studies.kinds.repetitions import answered
from fairshot.tasks.uniform import Uniform


def spread(value: float, units: int = 20, deviation: float = 0.01) -> Spread:
    return Spread(
        value=value,
        population="classes",
        variance=deviation**2,
        sampling=0.0,
        noise=0.0,
        unit_degrees=units - 1.0,
        episodes=1000,
        units=units,
    )


def test_the_share_that_cannot_be_ruled_out_is_that_of_the_rule_of_three() -> None:
    assert unseen_share(20) == pytest.approx(1 - 0.07 ** (1 / 20))
    assert (1 - unseen_share(60)) ** 60 == pytest.approx(0.07)
    assert unseen_share(90) == pytest.approx((1 - 0.07 ** (1 / 90)) / 2)
    assert unseen_share(120) == unseen_share(659) == 0.0


def test_the_interval_reaches_as_far_as_unseen_hopeless_classes_would_move_the_mean() -> None:
    usual, guarded = spread(0.95).estimate(), spread(0.95).estimate(worst=0.2)
    assert guarded.low == pytest.approx(0.95 - unseen_share(20) * 0.75)
    assert guarded.low < usual.low < guarded.high < usual.high
    error = spread(0.05).estimate(worst=0.8)
    assert (1 - error.high, 1 - error.low) == pytest.approx((guarded.low, guarded.high))


def test_where_the_interval_is_wide_or_classes_are_many_nothing_changes() -> None:
    assert spread(0.5, deviation=0.1).estimate(worst=0.2) == spread(0.5, deviation=0.1).estimate()
    assert spread(0.95, units=423).estimate(worst=0.2) == spread(0.95, units=423).estimate()
    assert spread(0.95).estimate(worst=0.2, difference=True) == spread(0.95).estimate(difference=True)


@given(st.floats(0.01, 0.99), st.integers(5, 200), st.floats(1e-4, 0.2), st.floats(0.0, 1.0))
def test_the_guard_never_shortens_the_side_of_hopeless_classes_and_keeps_the_value_inside(
    value: float, units: int, deviation: float, worst: float
) -> None:
    own = spread(value, units, deviation)
    usual, guarded = own.estimate(), own.estimate(worst=worst)
    assert guarded.low <= value <= guarded.high
    if worst < value:
        assert guarded.low <= usual.low + 1e-12
    else:
        assert guarded.high >= usual.high - 1e-12


def world(seed: int, share: float) -> Source:
    rng = np.random.default_rng(seed)
    noise = np.where(rng.random(20) < share, 8.0, np.exp(0.3 * rng.normal(size=20)))
    labels = np.repeat(np.arange(20), 20)
    features = 1.5 * rng.normal(size=(20, 16))[labels] + noise[labels, None] * rng.normal(size=(400, 16))
    return from_arrays(features.astype(np.float32), labels)


def test_one_hopeless_class_in_ten_is_covered_though_often_none_was_drawn() -> None:
    task, found = Uniform(way=5, shot=5, query=5), []
    for seed in range(150):
        source = world(seed, 0.1)
        sampled = task.sample(source, range(400), seed)
        answers = tabulate(layout_of(source), sampled, answered(source, Prototypes(), sampled))
        own = over_classes(answers)
        found.append((own.value, own.estimate().interval, own.estimate(worst=0.2).interval))
    truth = np.mean([value for value, _, _ in found])

    def covered(which: int) -> float:
        ends = [each[which] for each in found if each[which] is not None]
        return float(np.mean([low <= truth <= high for low, high in ends]))

    assert covered(1) < 0.91
    assert covered(2) >= 0.93


@pytest.mark.parametrize(("deviation", "words"), [(1.2, "about 800"), (0.1, "at least 1,600"), (0.0, "at least 1,600")])
def test_how_many_episodes_are_needed_is_a_bound_where_noise_drowns_the_variance(deviation: float, words: str) -> None:
    noisy = replace(spread(0.5, deviation=deviation), noise=1.0, episodes=200)
    assert noisy.estimate().reason == f"200 episodes are not enough: {words} are needed"
