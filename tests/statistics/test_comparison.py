"""Paired comparisons: adjusted p values against scipy, and the promise of a level kept in simulation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control

from fairshot.statistics.answers import layout_of, tabulate
from fairshot.statistics.comparison import adjusted, compare_answers, improvement
from fairshot.statistics.scores import Scores
from fairshot.tasks.uniform import Uniform
from tests.statistics.worlds import make_source

TASK = Uniform(way=5, shot=1, query=5)
EPISODES = 1000


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_adjusted_p_values(p_values: list[float]) -> None:
    holm, hochberg = adjusted(np.array(p_values))
    np.testing.assert_allclose(hochberg, false_discovery_control(p_values, method="bh"), atol=1e-12)
    ranked = sorted(p_values)
    step = [max((len(p_values) - j) * ranked[j] for j in range(i + 1)) for i in range(len(p_values))]
    np.testing.assert_allclose(np.sort(holm), np.minimum(1, step), atol=1e-12)
    assert (holm >= hochberg - 1e-12).all()


def test_improvement_counts_ties_half() -> None:
    assert improvement(np.array([0.1, 0.0, -0.2, 0.0])) == pytest.approx(0.5)
    assert improvement(np.array([0.1, 0.0])) == 0.75


def two_learners(rng: np.random.Generator, *, gap: float, classes: int = 30):
    """Two learners of the same skill but for `gap`, whose mistakes depend on classes and images of their own."""
    source = make_source(np.full(classes, 30))
    sampled = TASK.sample(source, range(EPISODES), int(rng.integers(2**31)))
    owner = np.take_along_axis(sampled.class_ids, sampled.query_labels, 1)
    both, asked = [], np.ones(sampled.query_ids.shape, dtype=bool)
    shared = rng.normal(size=classes)
    for shift in (gap, 0.0):
        own_class, own_image = 0.5 * rng.normal(size=classes), rng.normal(size=len(source))
        logit = 0.5 + shift + shared[owner] + own_class[owner] + own_image[sampled.query_ids]
        correct = rng.random(logit.shape) < 1 / (1 + np.exp(-logit))
        both.append(Scores(correct.mean(1), correct, asked))
    answers = tabulate(layout_of(source), sampled, both[0], minus=both[1])
    return compare_answers(answers, both[0].values - both[1].values), both


def test_equal_learners_differ_as_rarely_as_the_level_says_for_classes_and_far_too_often_for_the_sampler() -> None:
    rng = np.random.default_rng(0)
    runs = [two_learners(rng, gap=0.0)[0] for _ in range(300)]
    rates = {name: np.mean([run[name].p_value < 0.05 for run in runs]) for name in ("classes", "episodes")}
    assert 0.02 <= rates["classes"] <= 0.09  # 0.05 within three standard errors
    assert rates["episodes"] > 0.25  # what a test over episodes alone would call a discovery


def test_a_paired_test_finds_what_overlapping_intervals_hide() -> None:
    from fairshot.statistics.intervals.populations import estimate_all

    source = make_source(np.full(40, 20))
    rng = np.random.default_rng(1)
    sampled = TASK.sample(source, range(10_000), 0)
    owner = np.take_along_axis(sampled.class_ids, sampled.query_labels, 1)
    logit = rng.normal(size=40)[owner] + rng.normal(size=len(source))[sampled.query_ids]
    draws, asked = rng.random(logit.shape), np.ones(logit.shape, dtype=bool)
    one, other = (Scores(c.mean(1), c, asked) for c in (draws < 1 / (1 + np.exp(-logit - g)) for g in (0.08, 0.0)))
    layout = layout_of(source)
    intervals = [estimate_all(tabulate(layout, sampled, s), s.values)["classes"].interval for s in (one, other)]
    assert intervals[0][0] < intervals[1][1]  # they overlap
    paired = compare_answers(tabulate(layout, sampled, one, minus=other), one.values - other.values)["classes"]
    assert paired.p_value < 0.001
    assert paired.estimate.low > 0


def test_the_same_answers_do_not_differ() -> None:
    _, both = two_learners(np.random.default_rng(2), gap=0.0)
    source = make_source(np.full(30, 30))
    sampled = TASK.sample(source, range(EPISODES), 0)
    same = compare_answers(tabulate(layout_of(source), sampled, both[0], minus=both[0]), np.zeros(EPISODES))
    assert same["classes"].p_value == 1.0
    assert same["episodes"].p_value == 1.0
