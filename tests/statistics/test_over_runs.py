"""Training runs: by hand, and with runs and classes crossed in a world whose variances are known."""

from dataclasses import replace

import numpy as np
import pytest

from fairshot.statistics.answers import Answers, layout_of, tabulate
from fairshot.statistics.estimate import Spread
from fairshot.statistics.over_classes import over_classes
from fairshot.statistics.over_runs import mean_of_runs, over_runs, over_runs_and_classes
from fairshot.statistics.scores import Scores
from fairshot.tasks.uniform import Uniform

from .worlds import make_case, make_source

TASK = Uniform(way=5, shot=1, query=4)
ALONE = "one run tells nothing about others"


def crossed(
    rng: np.random.Generator, *, runs: int = 4, classes: int = 20, episodes: int = 300, sizes: tuple[float, ...]
) -> list[Answers]:
    """Shares of correct answers that are sums of what run, class and both together do; `sizes` are their deviations."""
    source = make_source(np.full(classes, 10))
    sampled = TASK.sample(source, range(episodes), int(rng.integers(2**31)))
    owner = np.take_along_axis(sampled.class_ids, sampled.query_labels, 1)
    run, own, both = (size * rng.normal(size=shape) for size, shape in zip(sizes, [(runs, 1), classes, (runs, classes)], strict=True))
    chance = 0.5 + run + own + both
    tables = []
    for row in chance:
        correct = rng.random(owner.shape) < row[owner]
        scores = Scores(correct.mean(1), correct, np.ones_like(correct))
        tables.append(tabulate(layout_of(source), sampled, scores))
    return tables


def test_over_runs_by_hand() -> None:
    scores = np.array([[0.5, 0.7, 0.6, 0.6], [0.4, 0.6, 0.5, 0.5], [0.9, 0.6, 0.7, 0.6]])
    found = over_runs(scores)
    assert found.value == pytest.approx(0.6)
    assert found.variance == pytest.approx(0.01 / 3)  # means 0.6, 0.5, 0.7
    assert (found.freedom, found.noise, found.episodes, found.population) == (2.0, 0.0, 4, "runs")


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
    assert found.freedom == pytest.approx(alone.freedom)


def test_the_mean_of_runs_is_their_mean_query_by_query_and_as_a_whole() -> None:
    first, second = crossed(np.random.default_rng(0), runs=2, episodes=20, sizes=(0.1, 0.1, 0.1))
    mean = mean_of_runs([first, second])
    assert set(mean.correct.tolist()) == {0.0, 0.5, 1.0}
    assert mean.scores == pytest.approx((first.scores + second.scores) / 2)
    whole = mean_of_runs([replace(run, values=run.scores**2) for run in (first, second)])
    assert whole.scores == pytest.approx((first.scores**2 + second.scores**2) / 2)
