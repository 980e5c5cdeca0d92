"""Logistic regression whose strength is chosen by leave-one-out on the support, without fitting it again.

At every strength the regression is fitted once, and one Newton step says what each support image would be answered
without itself (approximate leave-one-out; Rad and Maleki, JRSS B 2020), class by class. The strength with the smallest
log-loss is taken.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from jaxtyping import Float, Num
from scipy.special import log_softmax, softmax

from fairshot.learners.chooser import Chooser
from fairshot.learners.classifiers.logistic import Logistic
from fairshot.learners.learner import Classifier
from fairshot.learners.single_task import SingleTask, Task
from fairshot.learners.solvers.logistic_regression import fit_logistic, logistic_scores

SURE = 1e-6  # an image that decides its own answer to this degree cannot be left out


@dataclass(frozen=True)
class LogisticLoo(SingleTask, Chooser):
    """Multinomial logistic regression with an L2 penalty that the support itself chooses."""

    steps: int = 1000
    strengths: ClassVar = (0.01, 0.1, 1.0, 10.0, 100.0)

    @property
    def candidates(self) -> Mapping[str, Classifier]:
        """Logistic regression with each strength."""
        return {f"c={c:g}": Logistic(c=c, steps=self.steps) for c in self.strengths}

    def scores(self, task: Task) -> Num[np.ndarray, "query way"]:
        """Decision values of the regression with the smallest loss on images that were left out."""
        scaled = task.in_units
        fits = [fit_logistic(scaled, c, self.steps) for c in self.strengths]
        losses = [
            left_out_loss(scaled, logistic_scores(fit, scaled.support), c)
            for fit, c in zip(fits, self.strengths, strict=True)
        ]
        return logistic_scores(fits[int(np.argmin(losses))], scaled.queries)


def left_out_loss(task: Task, logits: Float[np.ndarray, "support way"], c: float) -> float:
    """The mean log-loss of support images, each answered as one Newton step from the fit would without it."""
    truth = np.eye(task.way)[task.labels]
    likely = softmax(logits, axis=1)
    vectors = np.column_stack([_narrow(task.support), np.ones(len(task.labels))])
    penalty = np.diag([*np.full(vectors.shape[1] - 1, 1 / c), 1e-9])
    without = logits.copy()
    for label in range(task.way):
        curvature = likely[:, label] * (1 - likely[:, label])
        inverse = np.linalg.inv(vectors.T @ (vectors * curvature[:, None]) + penalty)
        leverage = ((vectors @ inverse) * vectors).sum(axis=1)
        step = leverage / np.maximum(1 - leverage * curvature, SURE)
        without[:, label] += step * (likely[:, label] - truth[:, label])
    return float(-(truth * log_softmax(without, axis=1)).sum() / len(truth))


def _narrow(support: Float[np.ndarray, "support feature"]) -> Float[np.ndarray, "support axis"]:
    """The same vectors turned such that no more axes are left than there are vectors: an L2 penalty does not notice."""
    if support.shape[1] <= support.shape[0]:
        return support
    left, lengths, _ = np.linalg.svd(support, full_matrices=False)
    return left * lengths
