"""How many shots: gains paired on the same queries, a law that is found again, and sentences in plain words."""

import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from fairshot.evaluation.evaluate import answer, evaluate
from fairshot.evaluation.shots import (
    Answered,
    added,
    careful,
    fit_power_law,
    make_curve,
    nested,
    shot_curves,
    shot_families,
)
from fairshot.metrics.brier import Brier
from fairshot.metrics.error import Error
from fairshot.results.schema import Result, Row, ShotGain
from fairshot.specs.learners import find_learner
from fairshot.statistics.estimate import Spread
from fairshot.tasks.closed import Closed
from fairshot.tasks.meta_dataset import MetaDataset
from fairshot.tasks.task import TaskDistribution
from fairshot.tasks.uniform import Uniform
from fairshot.tasks.within_parent import WithinParent
from tests.conftest import make_vectors

SHOTS = (1, 2, 5)


def run(kind: type[TaskDistribution] = Uniform, episodes: int = 3000, metric: object = None, **settings) -> Result:
    tasks = [kind(way=5, shot=shot, query=5, **settings) for shot in SHOTS]
    learners = {"prototypes": find_learner("prototypes")}
    return evaluate(make_vectors(spread=1.8), learners, tasks, episodes=episodes, metric=metric)


@pytest.fixture(scope="module")
def plain() -> Result:
    return run()


def test_more_shots_give_the_same_queries_and_a_support_that_contains_the_smaller() -> None:
    source = make_vectors()
    few, many = (Uniform(shot=shot, query=5).sample(source, range(50), 0) for shot in (2, 7))
    assert nested(few, many)
    for e in range(50):
        assert set(few.support_ids[e]) < set(many.support_ids[e])
    assert not nested(few, Uniform(shot=7, query=5).sample(source, range(50), 1))
    assert not nested(few, Uniform(shot=7, query=6).sample(source, range(50), 0))


def test_a_paired_gain_is_far_narrower_than_one_from_two_intervals(plain: Result) -> None:
    (curve,) = plain.shots
    assert [(gain.fewer, gain.more) for gain in curve.gains] == [(1, 2), (2, 5)]
    for gain, fewer, more in zip(curve.gains, plain.rows, plain.rows[1:], strict=False):
        assert set(gain.paired) == {"episodes", "images", "classes", "parents"} == set(gain.intervals)
        assert gain.value == pytest.approx(more.value - fewer.value)
        for name, share in (("episodes", 0.8), ("images", 0.5), ("classes", 0.5)):
            apart = added(fewer.value, fewer.intervals[name], more.value, more.intervals[name])
            low, high = gain.intervals[name]
            assert low < gain.value < high
            assert high - low < share * (apart[1] - apart[0])


def test_few_episodes_give_a_wide_interval_for_the_paired_gain_and_not_none() -> None:
    certain = Spread(
        value=0.1, population="classes", variance=4e-4, sampling=1e-4, noise=1e-5, unit_degrees=20.0, episodes=1000
    )
    assert careful(certain) == certain.estimate(difference=True)
    guess = replace(certain, noise=4e-4)
    assert guess.estimate(difference=True).interval is None
    wide = replace(certain, variance=12e-4, noise=0.0).estimate(difference=True)
    assert careful(guess).interval == pytest.approx(wide.interval)
    drowned = careful(replace(guess, variance=-1e-4))
    half = stats.t.ppf(0.975, 2 * 9e-4**2 / (2 * 8e-4**2 / 20 + 2 * 1e-4**2 / 999)) * 0.03
    assert (drowned.low, drowned.high) == pytest.approx((0.1 - half, 0.1 + half))


def test_rows_of_unequal_length_are_paired_on_the_episodes_that_both_have() -> None:
    source, learner = make_vectors(spread=1.8), find_learner("prototypes")
    answered = []
    for shot, episodes in zip(SHOTS, (300, 200, 100), strict=True):
        task = Uniform(shot=shot, query=5)
        result = evaluate(source, {"prototypes": learner}, [task], episodes=episodes)
        answered.append(Answered(result.rows[0], task, answer(source, learner, task, episodes=episodes)))
    (curve,) = shot_curves(source, answered, seed=0, higher_is_better=True)
    for gain, fewer, more in zip(curve.gains, answered, answered[1:], strict=False):
        common = len(more.scores)
        assert gain.value == pytest.approx((more.scores.values - fewer.scores.values[:common]).mean())
        assert "episodes" in gain.paired


def test_rows_and_points_know_their_shots(plain: Result) -> None:
    assert [(row.family, row.shot) for row in plain.rows] == [("5-way 5-query", shot) for shot in SHOTS]
    (curve,) = plain.shots
    assert [(point.shot, point.value, point.intervals) for point in curve.points] == [
        (row.shot, row.value, row.intervals) for row in plain.rows
    ]


def test_an_error_falls_as_the_accuracy_rises(plain: Result) -> None:
    (curve,), (error,) = plain.shots, run(metric=Error()).shots
    assert not error.higher_is_better
    assert error.next_gain == pytest.approx(curve.next_gain, abs=1e-6)
    for gain, fall in zip(curve.gains, error.gains, strict=True):
        assert fall.value == pytest.approx(-gain.value)
        low, high = gain.intervals["classes"]
        assert fall.intervals["classes"] == pytest.approx((-high, -low))
    assert "points of error [-" in error.sentence


def test_scores_that_are_no_shares_of_queries_are_paired_by_episode() -> None:
    (curve,) = run(metric=Brier()).shots
    for gain in curve.gains:
        assert "episodes" in gain.paired
        assert gain.intervals["episodes"][0] < gain.value < gain.intervals["episodes"][1] < 0


@pytest.mark.parametrize(("kind", "settings"), [(Closed, {}), (Uniform, {"dirichlet": 2.0})])
def test_where_episodes_are_not_nested_the_two_intervals_are_added(
    kind: type[TaskDistribution], settings: dict[str, float]
) -> None:
    result = run(kind, episodes=1000, **settings)
    (curve,) = result.shots
    for gain, fewer, more in zip(curve.gains, result.rows, result.rows[1:], strict=False):
        assert gain.paired == []
        expected = added(fewer.value, fewer.intervals["episodes"], more.value, more.intervals["episodes"])
        assert gain.intervals["episodes"] == expected


def test_two_intervals_are_added_by_squares() -> None:
    # 0.5 [0.46, 0.53] and 0.7 [0.66, 0.78]: down by 0.04 and 0.03, up by 0.08 and 0.04
    assert added(0.5, (0.46, 0.53), 0.7, (0.66, 0.78)) == pytest.approx((0.2 - 0.05, 0.2 + np.sqrt(0.0080)))
    assert added(0.5, None, 0.7, (0.66, 0.78)) is None


def test_families_differ_in_more_than_shots() -> None:
    tasks = [Uniform(way=way, shot=shot) for way in (5, 11) for shot in (11, 1, 5)]
    tasks += [WithinParent(way=5, shot=1), MetaDataset()]
    assert shot_families(tasks) == {
        "5-way 15-query": [1, 5, 11],
        "11-way 15-query": [1, 5, 11],
        "within-parent 5-way 15-query": [1],
    }
    assert MetaDataset().family == "meta-dataset released"


def test_two_numbers_of_shots_are_no_curve() -> None:
    tasks = [Uniform(shot=shot, query=5) for shot in (1, 2)]
    assert evaluate(make_vectors(), {"chance": find_learner("chance")}, tasks, episodes=20).shots == []


@given(st.floats(0, 0.3), st.floats(0.1, 0.6), st.floats(0.2, 2))
def test_a_known_law_is_found_again(floor: float, scale: float, steepness: float) -> None:
    shots = [1, 2, 5, 10, 20]
    law = fit_power_law(shots, [floor + scale * shot**-steepness for shot in shots])
    assert (law.floor, law.scale, law.steepness) == pytest.approx((floor, scale, steepness), abs=2e-3)
    assert law.next_gain(20) == pytest.approx(scale * (20**-steepness - 21**-steepness), abs=1e-5)


def test_a_law_never_falls_below_zero_and_never_promises_a_loss() -> None:
    law = fit_power_law([1, 2, 3], [0.3, 0.1, 0.0])
    assert law.floor >= 0
    assert law.error(1000) >= 0
    rising = fit_power_law([1, 2, 5], [0.1, 0.2, 0.3])
    assert rising.next_gain(5) == pytest.approx(0)
    assert fit_power_law([1, 2, 2], [0.3, 0.2, 0.2]) is None


def row(shot: int, value: float, metric: str = "accuracy") -> Row:
    key = {"episodes": 1000, "episodes_key": "k", "part": "birds", "intervals": {}}
    return Row(learner="mine", task="t", family="5-way", shot=shot, metric=metric, value=value, **key)


def gain(fewer: int, more: int, value: float, **intervals: tuple[float, float] | None) -> ShotGain:
    return ShotGain(fewer=fewer, more=more, value=value, intervals=intervals)


RISING = [row(1, 0.5), row(5, 0.7), row(10, 0.731), row(20, 0.735)]
AHEAD = "one shot more than {more} would buy {much} (extrapolated)."
SENTENCES = [
    (
        [gain(1, 5, 0.2, classes=(0.15, 0.25)), gain(5, 10, 0.031, classes=(0.024, 0.038), episodes=(0.03, 0.032))],
        f"mine: from 5 to 10 shots +3.1 points [2.4, 3.8] for new classes, 0.6 a shot; {AHEAD}",
    ),
    (
        [gain(5, 10, 0.031, classes=None, images=(0.024, 0.038)), gain(10, 20, 0.0035, classes=(-0.002, 0.009))],
        "mine: from 5 to 10 shots +3.1 points [2.4, 3.8] for new images, 0.6 a shot; from 10 to 20 shots no clear change: "
        f"-0.2 to +0.9 points for new classes; {AHEAD}",
    ),
    (
        [gain(5, 10, 0.031, episodes=(-0.01, 0.07)), gain(10, 20, 0.004, episodes=(-0.002, 0.01))],
        "mine: no step brings a clear change; from 10 to 20 shots no clear change: -0.2 to +1.0 points for more episodes "
        f"of the same images; {AHEAD}",
    ),
    (
        [gain(10, 20, 0.004)],
        "mine: no step brings a clear change; from 10 to 20 shots +0.4 points, and without an interval it cannot be told "
        f"if that holds; {AHEAD}",
    ),
    (
        [gain(10, 20, -0.02, classes=(-0.03, -0.01))],
        "mine: no step brings a clear gain; a clear loss from 10 to 20 shots: -2.0 points [-3.0, -1.0] for new classes, "
        "-0.2 a shot; a curve with a clear loss is not extrapolated.",
    ),
    (
        [gain(1, 5, -0.2, classes=(-0.3, -0.1)), gain(5, 10, 0.03, classes=(0.02, 0.04)), gain(10, 20, 0.0)],
        "mine: from 5 to 10 shots +3.0 points [2.0, 4.0] for new classes, 0.6 a shot; a clear loss from 1 to 5 shots: "
        "-20.0 points [-30.0, -10.0] for new classes, -5.0 a shot; from 10 to 20 shots 0.0 points, and without an "
        "interval it cannot be told if that holds; a curve with a clear loss is not extrapolated.",
    ),
    (
        [gain(10, 20, 0.004, classes=(0.001, 0.007))],
        f"mine: from 10 to 20 shots +0.4 points [0.1, 0.7] for new classes, less than 0.1 a shot; {AHEAD}",
    ),
    (
        [gain(10, 20, 0.004, classes=(0.0003, 0.007))],
        f"mine: from 10 to 20 shots +0.40 points [0.03, 0.70] for new classes, less than 0.1 a shot; {AHEAD}",
    ),
    (
        [gain(10, 20, 0.004, classes=(0.00003, 0.007))],
        "mine: no step brings a clear change; from 10 to 20 shots no clear change: 0.0 to +0.7 points for new classes; "
        f"{AHEAD}",
    ),
]


@pytest.mark.parametrize(("gains", "expected"), SENTENCES)
def test_the_sentence_says_what_is_clear_and_for_whom(gains: list[ShotGain], expected: str) -> None:
    more = gains[-1].more
    rows = [each for each in RISING if each.shot <= more][-3:]
    bought = 100 * fit_power_law([each.shot for each in rows], [1 - each.value for each in rows]).next_gain(more)
    much = f"about {bought:.1f}" if bought >= 0.05 else "next to nothing"
    assert make_curve(rows, gains).sentence == expected.format(more=more, much=much)


def test_a_drop_is_not_called_next_to_nothing() -> None:
    """Not even where it is not clear: the law that is prolonged can only rise."""
    rows = [row(1, 0.72), row(5, 0.6), row(10, 0.5)]
    steps = [gain(1, 5, -0.12), gain(5, 10, -0.1, classes=(-0.25, 0.05))]
    assert make_curve(rows, steps).sentence == (
        "mine: no step brings a clear change; from 5 to 10 shots no clear change: -25.0 to +5.0 points for new classes; a "
        "curve that is worse at 10 shots than at 1 is not extrapolated."
    )


FORBIDDEN = r"[+-]0\.0+\b(?!\d)|nan|inf|\b1 shots|None"


@st.composite
def steps(draw: st.DrawFn) -> tuple[list[float], list[ShotGain], bool]:
    """Scores at 1, 2, 5, ... shots with intervals of their changes around them, some of them missing."""
    values = draw(st.lists(st.floats(0, 1), min_size=2, max_size=5))
    tiny = st.sampled_from([0.0, 1e-12, 1e-5, 4e-4, 0.01, 0.3])
    found = []
    for fewer, more in pairwise(values):
        ends = more - fewer - draw(tiny), more - fewer + draw(tiny)
        name = draw(st.sampled_from(["classes", "images", "episodes", None]))
        at = len(found)
        found.append(gain((1, 2, 5, 10)[at], (2, 5, 10, 20)[at], more - fewer, **({name: ends} if name else {})))
    return values, found, draw(st.booleans())


@given(steps())
def test_the_sentence_never_contradicts_the_numbers(drawn: tuple[list[float], list[ShotGain], bool]) -> None:
    values, found, higher = drawn
    metric = "accuracy" if higher else "error"
    shots = (1, 2, 5, 10, 20)
    rows = [row(shot, value, metric) for shot, value in zip(shots, values, strict=False)]
    text = make_curve(rows, found, higher_is_better=higher).sentence
    assert re.search(FORBIDDEN, text) is None, text
    sides = [expected_side(each) for each in found]
    better, worse = (1, -1) if higher else (-1, 1)
    for each, side in zip(found, sides, strict=True):
        lost = f"a clear loss from {each.fewer} to {each.more} shots: {'-' if higher else '+'}" in text
        assert lost == (side == worse), text
    gained = [each for each, side in zip(found, sides, strict=True) if side == better]
    assert text.startswith("mine: no step brings a clear ") == (not gained), text
    if gained:
        step = f"mine: from {gained[-1].fewer} to {gained[-1].more} shots {'+' if higher else '-'}"
        assert text.startswith(step), text
    assert ("no clear change: " in text) == (sides[-1] == 0), text
    assert ("cannot be told" in text) == (sides[-1] is None), text
    rises = worse not in sides and (values[-1] >= values[0] if higher else values[-1] <= values[0])
    many = len(values) > 2
    assert ("would buy" in text) == (rises and many), text
    assert ("not extrapolated" in text) == (many and not rises), text


def expected_side(found: ShotGain) -> int | None:
    """On which side of 0 the interval lies as it would be printed; 0 if on both, None if there is none."""
    interval = next((ends for ends in found.intervals.values() if ends is not None), None)
    if interval is None:
        return None
    low, high = (float(f"{100 * end:.2f}") for end in interval)
    return 1 if low > 0 else -1 if high < 0 else 0


def test_a_metric_that_should_fall_is_named() -> None:
    rows = [row(shot, 0.1 + 0.4 / shot, "error") for shot in (1, 2, 4)]
    curve = make_curve(rows, [gain(2, 4, -0.1, classes=(-0.12, -0.08))], higher_is_better=False)
    assert curve.sentence == (
        "mine: from 2 to 4 shots -10.0 points of error [-12.0, -8.0] for new classes, -5.0 a shot; one shot more than 4 "
        "would buy about 2.0 (extrapolated)."
    )
