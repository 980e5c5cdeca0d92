"""A linear support vector machine on the support set, one class against the rest, by scikit-learn."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Num

from fairshot.learners.estimator import Estimator, Labels, PerTask, Queries, Support


@dataclass(frozen=True)
class Svm(PerTask):
    """Linear SVM with squared hinge loss; larger `c` means a harder margin."""

    c: float = 1.0
    steps: int = 10_000

    def scores(self, support: Support, labels: Labels, queries: Queries, way: int) -> Num[np.ndarray, "query way"]:
        """Decision values."""
        from sklearn.svm import LinearSVC

        return Estimator(LinearSVC(C=self.c, max_iter=self.steps, random_state=0)).scores(support, labels, queries, way)
