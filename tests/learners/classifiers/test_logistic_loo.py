import numpy as np
import pytest
from scipy.special import log_softmax
from sklearn.linear_model import LogisticRegression

from fairshot.learners.classifiers.logistic import Logistic
from fairshot.learners.classifiers.logistic_loo import LogisticLoo, left_out_loss
from fairshot.learners.single_task import Task


def make_task(shot: int, width: int, seed: int = 0) -> Task:
    rng = np.random.default_rng(seed)
    labels = np.repeat(np.arange(4), shot)
    vectors = rng.normal(size=(4, width))[labels] + rng.normal(size=(len(labels), width))
    return Task(vectors, labels, rng.normal(size=(7, width)), 4).in_units


def fit_again(task: Task, c: float) -> float:
    """The mean log-loss when the regression is fitted again without each image."""
    fit = LogisticRegression(C=c, max_iter=3000, tol=1e-8)
    losses = []
    for out in range(len(task.labels)):
        others = np.arange(len(task.labels)) != out
        logits = fit.fit(task.support[others], task.labels[others]).decision_function(task.support[~others])
        losses.append(-log_softmax(logits, axis=1)[0, task.labels[out]])
    return float(np.mean(losses))


def one_step(task: Task, c: float) -> float:
    fit = LogisticRegression(C=c, max_iter=3000, tol=1e-8).fit(task.support, task.labels)
    return left_out_loss(task, fit.decision_function(task.support), c)


@pytest.mark.parametrize(("shot", "width"), [(6, 5), (4, 30)])
@pytest.mark.parametrize("c", [0.1, 1.0])
def test_where_the_penalty_matters_one_newton_step_is_near_fitting_again(shot: int, width: int, c: float) -> None:
    task = make_task(shot, width)
    assert one_step(task, c) == pytest.approx(fit_again(task, c), rel=0.12)


@pytest.mark.parametrize(("shot", "width", "seed"), [(6, 5, 0), (6, 5, 1), (4, 30, 0), (3, 30, 1)])
def test_the_strength_that_it_chooses_is_next_to_the_best_of_fitting_again(shot: int, width: int, seed: int) -> None:
    task = make_task(shot, width, seed)
    chosen = min(LogisticLoo.strengths, key=lambda c: one_step(task, c))
    losses = {c: fit_again(task, c) for c in LogisticLoo.strengths}
    assert losses[chosen] <= 1.05 * min(losses.values())


def test_it_answers_as_one_of_its_candidates() -> None:
    task = make_task(5, 8)
    found = LogisticLoo().scores(task)
    away = [
        np.abs(found - candidate.scores(task)).max()
        for candidate in LogisticLoo().candidates.values()
        if isinstance(candidate, Logistic)
    ]
    assert len(away) == len(LogisticLoo.strengths)
    assert min(away) < 1e-6
