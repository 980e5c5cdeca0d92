"""Logistic regression on the support set, by scikit-learn: the linear probe.

Vectors are brought into units of the support's deviation from its mean, all features by the same number, so that their
scale does not matter. With `relative=False`, `c` means what it means in scikit-learn.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Num

from fairshot.learners.foreign.estimators import TOLERANCE, decision_values, fit_anew
from fairshot.learners.single_task import SingleTask, Task
from fairshot.runtime.errors import FairshotError


@dataclass(frozen=True)
class Logistic(SingleTask):
    """Multinomial logistic regression with an L2 penalty; larger `c` means less of it."""

    c: float = 1.0
    steps: int = 1000
    relative: bool = True
    """Whether `c` is for vectors in units of the support's deviation; otherwise for vectors as they are."""

    def __post_init__(self) -> None:
        if self.c <= 0:
            raise FairshotError(f"c of logistic is {self.c:g}: it must be above 0")

    def scores(self, task: Task) -> Num[np.ndarray, "query way"]:
        """Decision values."""
        from sklearn.linear_model import LogisticRegression

        # In other units weights are larger by the unit, and their squares by its square.
        c = self.c if self.relative else self.c * task.unit**2
        scaled, regression = task.in_units, LogisticRegression(C=c, max_iter=self.steps, tol=TOLERANCE)
        return decision_values(fit_anew(regression, scaled), scaled.queries)
