"""Logistic regression on the support set, by scikit-learn: the linear probe."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Num

from fairshot.learners.estimator import Labels, PerTask, Queries, Support, decision_values, fit_anew
from fairshot.runtime.errors import FairshotError


@dataclass(frozen=True)
class Logistic(PerTask):
    """Multinomial logistic regression with an L2 penalty; larger `c` means less of it."""

    c: float = 1.0
    steps: int = 1000

    def __post_init__(self) -> None:
        if self.c <= 0:
            raise FairshotError(f"c of logistic is {self.c:g}: it must be above 0")

    def scores(self, support: Support, labels: Labels, queries: Queries, way: int) -> Num[np.ndarray, "query way"]:
        """Decision values."""
        from sklearn.linear_model import LogisticRegression

        estimator = LogisticRegression(C=self.c, max_iter=self.steps)
        return decision_values(fit_anew(estimator, support, labels), queries)
