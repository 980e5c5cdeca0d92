"""The distance to people by hand, and what it must not depend on."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairshot.runtime.errors import FairshotError
from fairshot.scoring.class_values import class_values_apart
from fairshot.scoring.human_distance import HumanScale, pooled_class_distances, pooled_distances


def test_distance_to_people_by_hand() -> None:
    # People: diversity 2 and recognizability 0.7, by two classes; chance is 1 in 5.
    people = HumanScale(np.array([[1.0, 0.6], [3.0, 0.8]]), 0.2)
    assert people.units == pytest.approx([2, 0.5])
    assert people.distance(people.by_class) == 0
    assert people.distance(np.array([[0.0, 0.6], [0.0, 0.8]])) == pytest.approx(1), "copies, recognised as people are"
    assert people.distance(np.array([[1.0, 0.2], [3.0, 0.2]])) == pytest.approx(1), "as diverse, known by chance"
    samples = np.array([[2.0, 0.2], [1.0, 0.6]])  # means 1.5 and 0.4: a quarter less diverse, 0.6 of the way to chance
    assert people.distance(samples) == pytest.approx(np.hypot(0.25, 0.6))
    assert people.class_distances(samples) == pytest.approx([np.hypot(0.5, 0.8), np.hypot(1, 0.4)])
    assert people.lacking == ""


def test_people_who_are_alike_or_not_known_set_no_scale() -> None:
    assert HumanScale(np.array([[0.0, 0.6], [0.0, 0.8]]), 0.2).lacking == (
        "people's drawings of a class are all alike to the critic, so that diversity has no scale"
    )
    assert HumanScale(np.array([[1.0, 0.1], [1.0, 0.34]]), 0.2).lacking == (
        "people's drawings are recognised 22.0% of the time and chance is 20.0%, so that recognizability has no scale"
    )


@given(st.integers(0, 10**6), st.floats(0.01, 100))
def test_units_of_diversity_do_not_matter(seed: int, unit: float) -> None:
    rng = np.random.default_rng(seed)
    human, samples = rng.uniform(0.3, 1, size=(2, 7, 2))
    stretched = [unit, 1]
    one, other = HumanScale(human, 0.05), HumanScale(human * stretched, 0.05)
    assert other.distance(samples * stretched) == pytest.approx(one.distance(samples))
    assert other.class_distances(samples * stretched) == pytest.approx(one.class_distances(samples))
    assert other.shares(samples * stretched) == pytest.approx(one.shares(samples))


@given(st.integers(0, 10**6), st.integers(1, 9))
def test_what_classes_add_to_a_distance_is_the_distance_and_moves_as_it_does(seed: int, classes: int) -> None:
    rng = np.random.default_rng(seed)
    human, samples = rng.uniform(0.3, 1, size=(2, classes, 2))
    whole = HumanScale(human, 0.05)
    shares = whole.shares(samples)
    assert shares.mean() == pytest.approx(whole.distance(samples))
    # A class that counts a little more moves the distance by its share: the derivative, by a difference.
    more, step = np.ones(classes), 1e-6
    more[0] += step * classes
    weights = more / more.sum()
    heavier = HumanScale((weights @ human)[None], 0.05).distance((weights @ samples)[None])
    moved = (heavier - whole.distance(samples)) / step
    assert moved == pytest.approx(shares[0] - shares.mean(), abs=1e-3 * max(1, abs(moved)) / whole.distance(samples))
    assert whole.shares(human).tolist() == [0] * classes


def test_differences_of_distances_hold_for_other_classes_as_often_as_they_promise() -> None:
    """Both sets are worse than people, one of them by a little more; classes of each are alike."""
    rng, covered = np.random.default_rng(0), 0

    def draw(classes: int) -> tuple[HumanScale, np.ndarray, np.ndarray]:
        common = rng.normal(size=(classes, 2))
        own = rng.normal(size=(3, classes, 2)) * [0.1, 0.03]
        human, one, other = np.array([[0.7, 0.9], [0.5, 0.85], [0.8, 0.7]])[:, None] + common * [0.2, 0.05] + own
        return HumanScale(human, 0.05), one, other

    scale, *sets = draw(10**6)
    truth = scale.distance(sets[0]) - scale.distance(sets[1])
    for _ in range(400):
        scale, one, other = draw(40)
        interval = class_values_apart(scale.shares(one), scale.shares(other)).estimate.interval
        assert interval is not None
        covered += interval[0] <= truth <= interval[1]
    assert 0.92 <= covered / 400 <= 0.98


def test_the_published_distance_by_hand() -> None:
    points = {"human": (0.0, 1.0), "a": (1.0, 1.0), "b": (2.0, 0.0), "c": (1.0, 0.0)}
    # Deviations over four, by n: sqrt(1/2) of diversity and 1/2 of recognizability.
    found = pooled_distances(points)
    wanted = {"human": 0.0, "a": np.sqrt(2), "b": np.sqrt(8 + 4), "c": np.sqrt(2 + 4)}
    assert found.values == pytest.approx(wanted)
    assert found.pool == points
    flat = pooled_distances({"human": (1.0, 1.0), "a": (3.0, 1.0)})
    assert flat.values == pytest.approx({"human": 0.0, "a": 2.0})
    with pytest.raises(FairshotError, match="unknown point 'human': there are: a"):
        pooled_distances({"a": (0.0, 0.0)})


@given(st.integers(0, 10**6), st.floats(0.01, 100), st.floats(-5, 5))
def test_to_the_published_distance_units_do_not_matter_but_company_does(seed: int, scale: float, shift: float) -> None:
    values = np.random.default_rng(seed).normal(size=(5, 2))
    names = ["human", "a", "b", "c", "d"]
    points = dict(zip(names, map(tuple, values.tolist()), strict=True))
    other = dict(zip(names, map(tuple, (values * [scale, 1] + [shift, 0]).tolist()), strict=True))
    assert pooled_distances(points).values == pytest.approx(pooled_distances(other).values, rel=1e-6)
    alone = pooled_distances({name: points[name] for name in ("human", "a")})
    assert alone.values["a"] == pytest.approx(np.sqrt(8))  # two points are always that far apart


def test_published_distances_of_classes_share_one_scale() -> None:
    rng = np.random.default_rng(0)
    points, human = rng.normal(size=(3, 7, 2)), rng.normal(size=(7, 2))
    pooled = np.concatenate([points.reshape(-1, 2), human])
    wanted = np.sqrt((((points - human) / pooled.std(axis=0)) ** 2).sum(2))
    assert pooled_class_distances(points, human) == pytest.approx(wanted)
