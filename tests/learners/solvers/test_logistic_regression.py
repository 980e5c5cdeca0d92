"""Logistic regression against scikit-learn's."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from fairshot.learners.single_task import Task
from fairshot.learners.solvers.logistic_regression import fit_logistic, logistic_scores


@pytest.mark.parametrize("c", [0.01, 1.0, 100.0])
@pytest.mark.parametrize(("way", "shot", "width"), [(2, 1, 6), (2, 5, 3), (5, 4, 16), (4, 2, 40)])
def test_decision_values_are_those_of_scikit_learn(way: int, shot: int, width: int, c: float) -> None:
    rng = np.random.default_rng(0)
    labels = np.tile(np.arange(way), shot)
    vectors = rng.normal(size=(way, width))[labels] + rng.normal(size=(len(labels), width))
    task = Task(vectors, labels, rng.normal(size=(9, width)), way).in_units
    wanted = LogisticRegression(C=c, max_iter=1000, tol=1e-6).fit(task.support, task.labels)
    wanted = wanted.decision_function(task.queries)
    found = logistic_scores(fit_logistic(task, c, 1000), task.queries)
    if way == 2:
        wanted = np.stack([-wanted, wanted], axis=1)
    np.testing.assert_allclose(found, wanted, atol=1e-5)


def test_too_few_steps_are_said() -> None:
    task = Task(np.eye(3), np.arange(3), np.eye(3), 3)
    with pytest.warns(UserWarning, match="logistic regression has not converged after 1 steps: allow it more"):
        fit_logistic(task, 100.0, 1)
