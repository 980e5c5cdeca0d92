"""Classes and pairs: honest intervals, and an expectation that the worst of many does not fool."""

import numpy as np
import pytest
from scipy import stats

from fairshot.statistics.answers import layout_of, tabulate
from fairshot.statistics.per_class import Rates, class_rates, confused_pairs, shrink
from fairshot.statistics.scores import Scores
from fairshot.tasks.episodes import PAD, Episodes
from fairshot.tasks.uniform import Uniform
from tests.conftest import make_vectors

QUERY = 6


def rates_of(correct: np.ndarray, episodes: Episodes, source) -> Rates:
    asked = episodes.query_labels != PAD
    scores = Scores((correct & asked).sum(1) / asked.sum(1), correct & asked, asked)
    layout = layout_of(source)
    return class_rates(tabulate(layout, episodes, scores), [source.class_names[c] for c in layout.classes])


def world(rng: np.random.Generator, *, classes: int = 30, episodes: int = 100, effect: float = 0.15):
    """Classes with an accuracy of their own, which each meeting moves up or down for all its queries."""
    source = make_vectors(classes=classes, features=2)
    sampled = Uniform(way=5, shot=1, query=QUERY).sample(source, range(episodes), 0)
    true = rng.beta(8, 4, size=classes)
    moved = np.clip(true[sampled.class_ids] + effect * rng.choice([-1, 1], size=sampled.class_ids.shape), 0, 1)
    chance = np.take_along_axis(moved, sampled.query_labels, 1)
    true = (np.clip(true - effect, 0, 1) + np.clip(true + effect, 0, 1)) / 2
    return source, sampled, true, rng.uniform(size=chance.shape) < chance


def test_every_class_equals_a_plain_loop() -> None:
    source, sampled, _, correct = world(np.random.default_rng(0))
    rates = {rate.name: rate for rate in rates_of(correct, sampled, source).rows}
    owner = np.take_along_axis(sampled.class_ids, sampled.query_labels, 1)
    for class_id, name in enumerate(source.class_names):
        shares = [correct[e][owner[e] == class_id].mean() for e in range(len(sampled)) if (owner[e] == class_id).any()]
        low, high = stats.t.interval(0.95, len(shares) - 1, np.mean(shares), stats.sem(shares))
        assert rates[name].value == pytest.approx(np.mean(shares))
        assert (rates[name].low, rates[name].high) == pytest.approx((max(low, 0), min(high, 1)))
        assert (rates[name].meetings, rates[name].queries) == (len(shares), len(shares) * QUERY)


def test_intervals_cover_classes_that_were_named_beforehand_and_the_expected_worst_is_nearer_to_the_truth() -> None:
    rng = np.random.default_rng(1)
    covered, raw, drawn, all_raw, all_drawn = [], [], [], [], []
    for _ in range(60):
        source, sampled, true, correct = world(rng)
        rates = rates_of(correct, sampled, source).rows
        place = {name: c for c, name in enumerate(source.class_names)}
        truth = np.array([true[place[rate.name]] for rate in rates])
        value, expected = np.array([r.value for r in rates]), np.array([r.shrunken for r in rates])
        covered += [r.low <= t <= r.high for r, t in zip(rates, truth, strict=True)]
        all_raw.append(((value - truth) ** 2).mean())
        all_drawn.append(((expected - truth) ** 2).mean())
        worst = value.argmin()
        raw.append(value[worst] - truth[worst])
        drawn.append(expected[worst] - truth[worst])
    assert 0.92 < np.mean(covered) < 0.98
    assert np.mean(all_drawn) < 0.95 * np.mean(all_raw)
    assert np.mean(np.square(drawn)) < 0.9 * np.mean(np.square(raw))
    assert np.mean(raw) < -0.03  # the raw worst class looks worse than it is
    assert abs(np.mean(drawn)) < 0.6 * abs(np.mean(raw))


def test_shrinking_by_hand() -> None:
    value, variance, meetings = np.array([0.2, 0.5, 0.8]), np.full(3, 0.03), np.array([4, 4, 4])
    shrunken, deviation, noise = shrink(value, variance, meetings)  # seen 0.09, noise 0.03: two thirds are true
    assert shrunken == pytest.approx([0.3, 0.5, 0.7])
    assert (deviation, noise) == pytest.approx((0.06**0.5, 1 / 3))


def test_pure_noise_is_shrunken_to_the_mean_and_a_single_meeting_tells_nothing() -> None:
    shrunken, deviation, noise = shrink(np.array([0.4, 0.6]), np.full(2, 0.1), np.array([3, 3]))
    assert (shrunken.tolist(), deviation, noise) == (pytest.approx([0.5, 0.5]), 0.0, 1.0)
    assert shrink(np.array([0.4, 0.6]), np.zeros(2), np.array([1, 1])) == (None, None, None)
    assert shrink(np.array([0.4]), np.full(1, 0.1), np.array([5])) == (None, None, None)


def test_a_class_that_was_always_right_is_not_said_to_be_perfect() -> None:
    source, sampled, _, correct = world(np.random.default_rng(0), classes=6, episodes=3)
    for rate in rates_of(np.ones_like(correct), sampled, source).rows:
        if rate.meetings == 1:
            assert (rate.low, rate.high) == (None, None)
        else:  # exact for as many trials without a failure
            exact = stats.binomtest(rate.meetings, rate.meetings).proportion_ci(0.95)
            assert (rate.low, rate.high) == pytest.approx((exact.low, 1.0))


def two_by_two(wrong: int) -> tuple[Episodes, np.ndarray]:
    """Three classes of which 0 and 2 are taken for each other, `wrong` of 4 queries an episode."""
    count = 12
    labels = np.tile([0, 0, 1, 1, 2, 2], (count, 1))
    ids = np.zeros((count, 3), dtype=np.int64) + np.arange(3)
    episodes = Episodes(ids + 10, ids, np.tile(np.arange(6) + 20, (count, 1)), labels, ids)
    chosen = labels.copy()
    for row in range(count):
        chosen[row, [0, 1, 4, 5][:wrong]] = [2, 2, 0, 0][:wrong]
    chosen[0, 2] = 0
    return episodes, chosen


def test_confused_pairs_by_hand() -> None:
    episodes, chosen = two_by_two(3)
    first, second = confused_pairs(episodes, chosen, ["a", "b", "c"])
    assert (first.name, first.value, first.meetings, first.queries) == ("a / c", 0.75, 12, 48)
    assert (second.name, second.value) == ("a / b", pytest.approx(1 / 48))


def test_pairs_are_not_named_without_need_nor_by_chance() -> None:
    episodes, _ = two_by_two(0)
    assert confused_pairs(episodes, episodes.query_labels, ["a", "b", "c"]) == ()
    few, chosen = two_by_two(3)
    assert confused_pairs(few[:4], chosen[:4], ["a", "b", "c"]) == ()
    rng = np.random.default_rng(0)
    many, often = make_vectors(classes=30, features=2), make_vectors(classes=5, features=2)
    for source, shown in ((many, False), (often, True)):  # what is known of a few pairs says nothing of the others
        sampled = Uniform(way=3, shot=1, query=4).sample(source, range(100), 0)
        chosen = np.where(sampled.class_ids.min(1, keepdims=True) == 0, 0, sampled.query_labels)
        assert bool(confused_pairs(sampled, chosen, source.class_names)) == shown
    source = make_vectors(classes=12, features=2)
    sampled = Uniform(way=5, shot=1, query=4).sample(source, range(300), 0)
    alike = [
        len(confused_pairs(sampled, rng.integers(0, 5, sampled.query_labels.shape), source.class_names))
        for _ in range(20)
    ]
    assert np.mean(np.array(alike) > 0) <= 0.15  # one time in twenty, by chance
