"""Training runs: by hand, and with runs and classes crossed in a world whose variances are known."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from fairshot.statistics.answers import Answers, layout_of, tabulate
from fairshot.statistics.estimate import Spread
from fairshot.statistics.intervals.classes import over_classes
from fairshot.statistics.intervals.runs import mean_of_runs, over_runs, over_runs_and_classes
from fairshot.statistics.scores import Scores
from fairshot.tasks.uniform import Uniform
from tests.statistics.worlds import make_case, make_source

TASK = Uniform(way=5, shot=1, query=4)
CLASSES = 20
SOURCE = make_source(np.full(CLASSES, 10))
LAYOUT = layout_of(SOURCE)
ALONE = "one run tells nothing about others"


def crossed(
    rng: np.random.Generator, *, runs: int = 4, episodes: int = 100, sizes: tuple[float, float, float]
) -> list[Answers]:
    """Shares of correct answers that are sums of what run, class and both together do; `sizes` are their deviations."""
    sampled = TASK.sample(SOURCE, range(episodes), int(rng.integers(2**31)))
    owner = np.take_along_axis(sampled.class_ids, sampled.query_labels, 1)
    shapes = (runs, 1), (1, CLASSES), (runs, CLASSES)
    chances = 0.5 + sum(size * rng.normal(size=shape) for size, shape in zip(sizes, shapes, strict=True))
    tables = []
    for chance in chances:
        correct = rng.random(owner.shape) < chance[owner]
        scores = Scores(correct.mean(1), correct, np.ones_like(correct))
        tables.append(tabulate(LAYOUT, sampled, scores))
    return tables


def test_over_runs_by_hand() -> None:
    found = over_runs(np.array([[0.4, 0.8, 0.6, 0.6], [0.3, 0.7, 0.5, 0.5], [0.5, 0.9, 0.8, 0.6]]))
    assert found.value == pytest.approx(0.6)
    assert found.variance == pytest.approx(0.01 / 3)  # means 0.6, 0.5, 0.7
    # The mean run has a variance of 0.74 / 27 over episodes, 0.02 / 27 of it from what is each run's own (0.06 / 27).
    assert found.sampling == pytest.approx(0.72 / 27 / 4)
    assert (found.unit_degrees, found.noise, found.episodes, found.population) == (2.0, 0.0, 4, "runs")


def test_what_drawing_episodes_does_to_all_runs_alike_is_added_and_what_it_does_to_each_is_not_counted_twice() -> None:
    rng, runs, episodes, repetitions = np.random.default_rng(0), 5, 100, 2000
    run, common, own = 0.01, 0.05, 0.1  # deviations
    shape = (repetitions, runs, episodes)
    tables = 0.5 + run * rng.normal(size=(repetitions, runs, 1)) + common * rng.normal(size=(repetitions, 1, episodes))
    tables = tables + own * rng.normal(size=shape)
    found = [over_runs(table) for table in tables]
    true = run**2 / runs + common**2 / episodes + own**2 / runs / episodes
    assert tables.mean((1, 2)).var() == pytest.approx(true, rel=0.1)
    assert np.mean([spread.total for spread in found]) == pytest.approx(true, rel=0.05)
    intervals = [spread.estimate(difference=True).interval for spread in found]
    assert 0.94 < np.mean([low <= 0.5 <= high for low, high in intervals]) < 0.965


def test_one_run_is_refused() -> None:
    answers = make_case(TASK, np.full(12, 10), episodes=50).answers
    assert over_runs(answers.scores[None]) == ALONE
    assert over_runs_and_classes([answers]) == ALONE


def test_all_classes_at_once_are_refused() -> None:
    answers = make_case(TASK, np.full(5, 10), episodes=50).answers
    reason = "the episodes hold all classes there are: they tell nothing about others"
    assert over_runs_and_classes([answers, answers]) == reason


def test_equal_runs_add_nothing_to_classes() -> None:
    answers = make_case(TASK, np.full(12, 10), episodes=200).answers
    alone, found = over_classes(answers), over_runs_and_classes([answers] * 3)
    assert found.population == "runs and classes"
    assert found.value == pytest.approx(alone.value)
    assert (found.variance, found.sampling) == pytest.approx((alone.variance, alone.sampling), rel=1e-9)
    assert found.unit_degrees == pytest.approx(alone.unit_degrees)


def test_the_mean_of_runs_is_their_mean_query_by_query_and_as_a_whole() -> None:
    first, second = crossed(np.random.default_rng(0), runs=2, episodes=20, sizes=(0.1, 0.1, 0.1))
    mean = mean_of_runs([first, second])
    assert set(mean.correct.tolist()) == {0.0, 0.5, 1.0}
    assert mean.scores == pytest.approx((first.scores + second.scores) / 2)
    whole = mean_of_runs([replace(run, values=run.scores**2) for run in (first, second)])
    assert whole.scores == pytest.approx((first.scores**2 + second.scores**2) / 2)


@pytest.mark.parametrize(
    "sizes",
    [(0.03, 0.1, 0.08), (0.0, 0.1, 0.0), (0.05, 0.02, 0.0), (0.0, 0.05, 0.1)],
    ids=["all", "classes only", "mostly runs", "mostly both"],
)
def test_crossed_runs_and_classes_average_to_the_true_variance(sizes: tuple[float, float, float]) -> None:
    rng, runs, episodes = np.random.default_rng(1), 4, 100
    tables = [crossed(rng, sizes=sizes, episodes=episodes) for _ in range(120)]
    found = [over_runs_and_classes(table) for table in tables]
    assert all(isinstance(spread, Spread) for spread in found)
    run, own, both = np.square(sizes)
    drawing = np.mean([mean_of_runs(table).scores.var(ddof=1) / episodes for table in tables])
    true = run / runs + own / CLASSES + both / runs / CLASSES + drawing
    totals = np.array([spread.total for spread in found])
    assert totals.mean() == pytest.approx(true, rel=0.12)
    assert abs(totals.mean() - true) < 3.5 * totals.std() / np.sqrt(len(totals)) + 0.04 * true
    hits = [abs(s.value - 0.5) <= stats.t.ppf(0.975, s.degrees) * np.sqrt(s.total) for s in found]
    assert np.mean(hits) >= 0.88


def test_adding_runs_and_classes_would_count_what_both_do_together_twice() -> None:
    rng, runs = np.random.default_rng(2), 4
    parts = []
    for _ in range(60):
        tables = crossed(rng, sizes=(0.0, 0.0, 0.15), episodes=400)
        both = over_runs_and_classes(tables).variance
        each = over_classes(mean_of_runs(tables)).variance, over_runs(np.stack([t.scores for t in tables])).variance
        parts.append((sum(each), both))
    added, found = np.mean(parts, axis=0)
    true = 0.15**2 / runs / CLASSES
    assert added == pytest.approx(2 * true, rel=0.15)
    assert true < found < 1.45 * true  # never below the larger of its parts, so it stays a little above
