"""A linear support vector machine on the support set, one class against the rest, by scikit-learn."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Num

from fairshot.learners.estimator import Labels, PerTask, Queries, Support, decision_values, fit_anew
from fairshot.runtime.errors import FairshotError


@dataclass(frozen=True)
class Svm(PerTask):
    """Linear SVM with squared hinge loss; larger `c` means a harder margin."""

    c: float = 1.0
    steps: int = 10_000

    def __post_init__(self) -> None:
        if self.c <= 0:
            raise FairshotError(f"c of svm is {self.c:g}: it must be above 0")

    def scores(self, support: Support, labels: Labels, queries: Queries, way: int) -> Num[np.ndarray, "query way"]:
        """Decision values."""
        from sklearn.svm import LinearSVC

        estimator = LinearSVC(C=self.c, max_iter=self.steps, random_state=0)
        return decision_values(fit_anew(estimator, support, labels), queries)
