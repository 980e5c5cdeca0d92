"""Anybody's scikit-learn estimator as a classifier."""

from copy import deepcopy
from dataclasses import dataclass
from numbers import Number
from typing import Any

import numpy as np
from jaxtyping import Num

from fairshot.learners.foreign.code import foreign_identity
from fairshot.learners.single_task import Queries, SingleTask, Task, are_labels
from fairshot.runtime.errors import FairshotError

TOLERANCE = 1e-6  # scikit-learn's solvers stop a hundred times earlier, up to a percent away from the solution


@dataclass(frozen=True)
class Estimator(SingleTask):
    """Any scikit-learn classifier, or whatever else has fit and predict, copied and fitted anew for every task.

    What it predicts is its answer.
    """

    estimator: Any
    file: str = ""
    """The hash of the file it came from."""
    seed: int = 0
    name: str = ""
    """What errors call it; its class where nobody said."""

    @property
    def label(self) -> str:
        """The name it was given, or that of its class."""
        return self.name or type(self.estimator).__name__

    @property
    def random(self) -> bool:  # type: ignore[override]
        """Whether it has a random state that nobody has set."""
        return bool(unseeded(self.estimator))

    @property
    def settings(self) -> dict[str, Any]:
        """The estimator as scikit-learn prints it, and the seed where it draws."""
        drawn = {"seed": self.seed} if self.random else {}
        return {"estimator": " ".join(repr(self.estimator).split()), "file": self.file, **drawn}

    @property
    def identity(self) -> str | None:
        """All parameters to the last digit."""
        return foreign_identity((self.estimator, self.seed), self.file)

    def scores(self, task: Task) -> Num[np.ndarray, "query way"]:
        """1 for the predicted class; decision values are not asked, since their form differs between estimators."""
        predicted = np.asarray(fit_anew(self.estimator, task).predict(task.queries))
        labels = _whole_numbers(predicted)
        if not are_labels(labels, task):
            raise FairshotError(
                f"{self.label} predicted {_shown(predicted)} for {len(task.queries)} queries: an estimator's predict "
                f"returns one of the labels that it was fitted with for each query, from 0 to {task.way - 1}"
            )
        return (labels[:, None] == np.arange(task.way)).astype(np.float32)


def _whole_numbers(predicted: np.ndarray) -> np.ndarray:
    """Labels as integers where they are whole numbers of another type; anything else as it is."""
    if predicted.dtype.kind == "O" and not all(isinstance(value, Number) for value in predicted.ravel()):
        return predicted
    if predicted.dtype.kind not in "bfO":
        return predicted
    values = predicted.astype(np.float64)
    return values.astype(np.int64) if np.array_equal(values, np.round(values)) else predicted


def _shown(labels: np.ndarray) -> str:
    """The shape, where it is unusual, and the first values of what was predicted."""
    values = ", ".join(str(value) for value in labels.ravel()[:3].tolist())
    return f"{values}{', ...' if labels.size > 3 else ''} (shape {labels.shape}, type {labels.dtype})"


def fit_anew(estimator: Any, task: Task) -> Any:
    """A copy fitted on the support; where it would draw from a global generator it gets the task's seed."""
    from sklearn.base import clone

    copy = clone(estimator) if hasattr(estimator, "get_params") else deepcopy(estimator)
    if seeds := dict.fromkeys(unseeded(copy), task.seed):
        copy.set_params(**seeds)
    fitted = copy.fit(task.support, task.labels)
    return copy if fitted is None else fitted


def unseeded(estimator: Any) -> frozenset[str]:
    """The parameters by which a scikit-learn estimator would draw from a global generator."""
    parameters = estimator.get_params().items() if hasattr(estimator, "get_params") else ()
    return frozenset(name for name, value in parameters if name.endswith("random_state") and value is None)


def decision_values(estimator: Any, queries: Queries) -> Num[np.ndarray, "query way"]:
    """A value for each class, also where scikit-learn gives a single one for two classes."""
    values = estimator.decision_function(queries)
    return np.stack([-values, values], axis=1) if values.ndim == 1 else values
