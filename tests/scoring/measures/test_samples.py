"""Distance to people, copies, originality and agreement by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from fairshot.runtime.errors import FairshotError
from fairshot.scoring.agreement import Agreement, agreement
from fairshot.scoring.class_values import class_values_apart
from fairshot.scoring.measures.copies import copied, likeness
from fairshot.scoring.measures.human_distance import HumanScale, pooled_class_distances, pooled_distances
from fairshot.scoring.measures.originality import compare_originality, original


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


def strokes(seed: int, count: int = 4) -> np.ndarray:
    return np.random.default_rng(seed).random((count, 14, 14)) < 0.2


def test_copies_are_found_where_they_were_moved() -> None:
    blank = np.zeros((4, 20, 20), dtype=bool)
    exemplars, moved = blank.copy(), blank.copy()
    exemplars[:, 3:17, 3:17] = strokes(0)
    moved[:, 5:19, 1:15] = strokes(0)
    assert likeness(exemplars, exemplars).tolist() == [1] * 4
    assert likeness(moved, exemplars).tolist() == [1] * 4
    assert (likeness(np.roll(moved, 1, 1), exemplars) < 0.6).all(), "three pixels are too far"
    assert likeness(blank, blank).tolist() == [1] * 4
    assert likeness(blank, exemplars).tolist() == [0] * 4
    assert not copied(np.roll(exemplars, 1, axis=0), exemplars).any()


def test_likeness_is_ink_in_both_over_ink_in_either() -> None:
    one, other = np.zeros((1, 30, 30), dtype=bool), np.zeros((1, 30, 30), dtype=bool)
    one[0, 10, 5:25] = True
    other[0, 10, 5:24] = True
    assert likeness(other, one)[0] == pytest.approx(19 / 20)
    assert copied(other, one)[0]
    other[0, 25, 10:12] = True
    assert likeness(other, one)[0] == pytest.approx(19 / 22)
    assert not copied(other, one)[0]
    assert copied(other, one, alike=0.8)[0]


def test_originality_is_the_distance_to_the_exemplar() -> None:
    features, exemplars = np.array([[3.0, 4], [1, 1], [0, 0]]), np.array([[0.0, 0], [1, 0]])
    assert original(features, exemplars, np.array([0, 1, 1])).tolist() == [5, 1, 1]


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


def test_agreement_is_scipys_and_says_why_not() -> None:
    rng = np.random.default_rng(0)
    one = rng.normal(size=150)
    other = one + rng.normal(size=150)
    found = agreement(one, other)
    assert isinstance(found, Agreement)
    assert found.spearman == pytest.approx(stats.spearmanr(one, other)[0])
    assert found.r_squared == pytest.approx(np.corrcoef(one, other)[0, 1] ** 2)
    rising = agreement(one, np.exp(one))
    assert isinstance(rising, Agreement)
    assert rising.spearman == pytest.approx(1)
    assert rising.r_squared < 0.9
    assert agreement(np.zeros(5), one[:5]) == "all classes have the same value: there is no order"
    assert agreement(one[:2], one[:2]) == "2 classes are too few for a correlation"
    with pytest.raises(FairshotError, match="3 and 5 classes cannot be compared: give the same classes for both"):
        agreement(one[:3], one[:5])


def test_the_interval_of_a_correlation_by_leaving_out_one_after_another() -> None:
    rng = np.random.default_rng(0)
    one = rng.normal(size=30)
    other = one + rng.normal(size=30)
    parents = np.repeat(np.arange(10), 3)
    for groups in (None, parents):
        found = agreement(one, other, groups)
        assert isinstance(found, Agreement)
        for name, correlate in (("spearman", stats.spearmanr), ("pearson", stats.pearsonr)):
            units = np.arange(30) if groups is None else groups
            left = [np.arctanh(correlate(one[units != u], other[units != u])[0]) for u in np.unique(units)]
            count = len(left)
            half = stats.t.ppf(0.975, count - 1) * np.sqrt((count - 1) * np.var(left))
            middle = np.arctanh(correlate(one, other)[0])
            assert found.estimates[name].interval == pytest.approx(np.tanh([middle - half, middle + half]))
            assert found.estimates[name].population == ("classes" if groups is None else "parents")
    few = agreement(one[:5], other[:5])
    assert isinstance(few, Agreement)
    assert few.estimates["spearman"].reason == "5 classes are too few for an interval"
    in_line = agreement(one, 2 * one)
    assert isinstance(in_line, Agreement)
    assert in_line.estimates["pearson"].interval is None
    assert in_line.estimates["pearson"].reason == "all classes are in line"
    some = agreement(one, other, np.minimum(parents, 7))
    assert isinstance(some, Agreement)
    assert some.estimates["r_squared"].reason == "8 parents are too few for an interval"


def test_classes_that_come_in_parents_are_no_independent_classes() -> None:
    rng = np.random.default_rng(1)
    parents = np.repeat(np.arange(40), 3)
    truth, covered = 6 / np.pi * np.arcsin(0.6 / 2), {"classes": 0, "parents": 0}
    for _ in range(200):
        one, noise = 0.9 * rng.normal(size=(2, 40))[:, parents] + np.sqrt(0.19) * rng.normal(size=(2, 120))
        for groups in (None, parents):
            found = agreement(one, 0.6 * one + 0.8 * noise, groups)
            assert isinstance(found, Agreement)
            own = found.estimates["spearman"]
            assert own.low is not None
            assert own.high is not None
            covered[own.population] += own.low <= truth <= own.high
    assert covered["parents"] / 200 > 0.9
    assert covered["classes"] / 200 < 0.85


def test_intervals_of_rank_correlations_cover() -> None:
    rng = np.random.default_rng(0)
    truth, covered = 6 / np.pi * np.arcsin(0.6 / 2), 0  # of normal numbers with a correlation of 0.6
    for _ in range(400):
        one, noise = rng.normal(size=(2, 30))
        found = agreement(one, 0.6 * one + 0.8 * noise)
        assert isinstance(found, Agreement)
        interval = found.estimates["spearman"].interval
        assert interval is not None
        covered += interval[0] <= truth <= interval[1]
    assert 0.92 <= covered / 400 <= 0.98


@given(st.integers(0, 10**6), st.floats(-0.9, 0.9))
def test_intervals_of_an_agreement_hold_it_and_shrink_with_classes(seed: int, slope: float) -> None:
    rng = np.random.default_rng(seed)
    one = rng.normal(size=200)
    other = slope * one + rng.normal(size=200)
    few, many = (agreement(one[:count], other[:count]) for count in (20, 200))
    assert isinstance(few, Agreement)
    assert isinstance(many, Agreement)
    for own in many.estimates.values():
        assert own.low is not None
        assert own.high is not None
        assert own.low <= own.value <= own.high
    assert few.estimates["r_squared"].interval is not None
    assert min(few.estimates["r_squared"].interval) >= 0
    (low, high), (wide_low, wide_high) = (each.estimates["pearson"].interval for each in (many, few))
    assert np.arctanh(high) - np.arctanh(low) == pytest.approx(2 * 1.959964 / np.sqrt(197), rel=0.35), "Fisher's width"
    assert wide_high - wide_low > 1.2 * (high - low)
