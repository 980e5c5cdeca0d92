"""A linear support vector machine on the support set, one class against the rest, by scikit-learn.

Vectors are brought into units of the support's deviation from its mean, all features by the same number, so that
neither their scale nor their distance from zero matters. With `relative=False` the machine is that of scikit-learn,
which penalises the intercept as well.
"""

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Num

from fairshot.learners.foreign.estimators import TOLERANCE, decision_values, fit_anew
from fairshot.learners.single_task import SingleTask, Task
from fairshot.runtime.errors import FairshotError


@dataclass(frozen=True)
class Svm(SingleTask):
    """Linear SVM with squared hinge loss; larger `c` means a harder margin."""

    c: float = 1.0
    steps: int = 10_000
    relative: bool = True
    """Whether `c` is for vectors in units of the support's deviation; otherwise for vectors as they are."""

    def __post_init__(self) -> None:
        if self.c <= 0:
            raise FairshotError(f"c of svm is {self.c:g}: it must be above 0")

    def scores(self, task: Task) -> Num[np.ndarray, "query way"]:
        """Decision values."""
        from sklearn.svm import LinearSVC

        scaled, c, one = task.in_units, self.c, 1.0
        if not self.relative:  # the same machine in other units, in which its solver gets on
            unit = task.unit
            scaled = replace(task, support=task.support / unit, queries=task.queries / unit)
            c, one = self.c * unit**2, 1 / unit
        # The random state decides in which order images are looked at, not where the machine ends up.
        machine = LinearSVC(C=c, max_iter=self.steps, intercept_scaling=one, tol=TOLERANCE, dual="auto", random_state=0)
        return decision_values(fit_anew(machine, scaled), scaled.queries)
