"""Logistic regression on the support set, by scikit-learn: the linear probe."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Num

from fairshot.learners.estimator import Estimator, Labels, PerTask, Queries, Support


@dataclass(frozen=True)
class Logistic(PerTask):
    """Multinomial logistic regression with an L2 penalty; larger `c` means less of it."""

    c: float = 1.0
    steps: int = 1000

    def scores(self, support: Support, labels: Labels, queries: Queries, way: int) -> Num[np.ndarray, "query way"]:
        """Decision values."""
        from sklearn.linear_model import LogisticRegression

        return Estimator(LogisticRegression(C=self.c, max_iter=self.steps)).scores(support, labels, queries, way)
