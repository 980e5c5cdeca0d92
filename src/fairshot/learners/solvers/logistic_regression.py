"""Multinomial logistic regression with an L2 penalty, as scikit-learn solves it but without what it does around a fit.

The loss, its scale, the start and the rules of stopping are those of scikit-learn's `LogisticRegression`, so that both
walk the same way; of such small problems it spends most of its time on looking at what it was given.
"""

import warnings

import numpy as np
from jaxtyping import Float
from scipy.optimize import minimize

from fairshot.learners.foreign.estimators import TOLERANCE
from fairshot.learners.single_task import Task

FLAT = 64 * np.finfo(float).eps  # a step that lowers the loss by less is the last
TRIALS = 50  # of lengths of one step

Weights = Float[np.ndarray, "row side"]


def fit_logistic(task: Task, c: float, steps: int) -> Weights:
    """A row of weights for each feature and one of intercepts, which are not penalised; larger `c` is less penalty.

    Two classes share one column, as in scikit-learn.
    """
    vectors = _with_ones(task.support)
    sides = _sides(task.way)
    truth = np.eye(task.way)[task.labels]
    shape = (vectors.shape[1], len(sides))

    def loss(flat: Float[np.ndarray, " weight"]) -> tuple[float, Float[np.ndarray, " weight"]]:
        weights = flat.reshape(shape)
        penalised = weights[:-1] / c
        logits = vectors @ weights @ sides
        largest = logits.max(axis=1, keepdims=True)
        likely = np.exp(logits - largest)
        total = likely.sum(axis=1, keepdims=True)
        slope = vectors.T @ ((likely / total - truth) @ sides.T)
        slope[:-1] += penalised
        value = (np.log(total) + largest).sum() - (logits * truth).sum() + (penalised * weights[:-1]).sum() / 2
        return float(value) / len(vectors), slope.ravel() / len(vectors)

    options = {"maxiter": steps, "gtol": TOLERANCE, "ftol": FLAT, "maxls": TRIALS}
    found = minimize(loss, np.zeros(np.prod(shape)), jac=True, method="L-BFGS-B", options=options)
    if not found.success:
        warnings.warn(f"logistic regression has not converged after {found.nit} steps: allow it more", stacklevel=2)
    return found.x.reshape(shape)


def logistic_scores(weights: Weights, vectors: Float[np.ndarray, "image feature"]) -> Float[np.ndarray, "image way"]:
    """Decision values of each class; of two classes minus and plus the same value."""
    values = _with_ones(vectors) @ weights
    return values if values.shape[1] > 1 else np.column_stack([-values, values])


def _with_ones(vectors: Float[np.ndarray, "image feature"]) -> Float[np.ndarray, "image row"]:
    return np.column_stack([vectors, np.ones(len(vectors))])


def _sides(way: int) -> Float[np.ndarray, "side way"]:
    """Which class each column of weights speaks for."""
    return np.eye(way) if way > 2 else np.array([[0.0, 1.0]])
