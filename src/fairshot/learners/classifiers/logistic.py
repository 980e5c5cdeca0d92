"""Logistic regression on the support set, as scikit-learn solves it: the linear probe.

Vectors are brought into units of the support's deviation from its mean, all features by the same number, so that their
scale does not matter. With `relative=False`, `c` means what it means in scikit-learn.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Num

from fairshot.learners.single_task import SingleTask, Task
from fairshot.learners.solvers.logistic_regression import fit_logistic, logistic_scores
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
        # In other units weights are larger by the unit, and their squares by its square.
        c = self.c if self.relative else self.c * task.unit**2
        scaled = task.in_units
        return logistic_scores(fit_logistic(scaled, c, self.steps), scaled.queries)
