"""Learners that answer one task after the other: scikit-learn's estimators and plain functions, on NumPy arrays."""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import torch
from jaxtyping import Float, Int, Num
from torch import Tensor

from fairshot.learners.learner import Classifier, TaskBatch
from fairshot.runtime.errors import FairshotError

Support = Float[np.ndarray, "support feature"]
Labels = Int[np.ndarray, " support"]
Queries = Float[np.ndarray, "query feature"]


class PerTask(Classifier):
    """A classifier that is given one task at a time."""

    threads: ClassVar = False

    @abstractmethod
    def scores(self, support: Support, labels: Labels, queries: Queries, way: int) -> Num[np.ndarray, "query way"]:
        """A score for each query and class."""

    def classify(self, batch: TaskBatch) -> Float[Tensor, "episode query way"]:
        """Task by task, without padding."""
        logits = torch.full((*batch.query.shape[:2], batch.width), -torch.inf)
        for number, way in enumerate(batch.way.tolist()):
            support, labels, queries = (part.numpy() for part in batch.episode(number))
            scores = self.scores(support, labels, queries, way)
            logits[number, batch.query_mask[number], :way] = torch.from_numpy(np.asarray(scores, dtype=np.float32))
        return logits


@dataclass(frozen=True)
class Estimator(PerTask):
    """Any scikit-learn classifier, cloned and fitted anew for every task."""

    estimator: Any
    name: str = "estimator"
    file: str = ""
    """The hash of the file it came from."""

    @property
    def settings(self) -> dict[str, Any]:
        """The estimator as scikit-learn prints it."""
        return {"estimator": " ".join(repr(self.estimator).split()), "file": self.file}

    def scores(self, support: Support, labels: Labels, queries: Queries, way: int) -> Num[np.ndarray, "query way"]:
        """Decision values or probabilities where the estimator has them, else its choice."""
        from sklearn.base import clone

        fitted = clone(self.estimator).fit(support, labels)
        if hasattr(fitted, "decision_function"):
            values = fitted.decision_function(queries)
            return np.stack([-values, values], axis=1) if values.ndim == 1 else values
        if hasattr(fitted, "predict_proba"):
            return fitted.predict_proba(queries)
        return _chosen(fitted.predict(queries), way)


@dataclass(frozen=True)
class Function(PerTask):
    """Any function f(support_x, support_y, query_x) that returns labels or a score for each query and class."""

    function: Callable[[Support, Labels, Queries], np.ndarray] = field(repr=False)
    name: str = "function"
    file: str = ""
    """The hash of the file it came from."""

    @property
    def settings(self) -> dict[str, Any]:
        """Nothing is known of a function but its file."""
        return {"file": self.file}

    def scores(self, support: Support, labels: Labels, queries: Queries, way: int) -> Num[np.ndarray, "query way"]:
        """What the function says, checked."""
        answer = np.asarray(self.function(support, labels, queries))
        if (
            answer.shape == (len(queries),)
            and answer.dtype.kind in "iu"
            and (answer >= 0).all()
            and (answer < way).all()
        ):
            return _chosen(answer, way)
        if answer.shape == (len(queries), way) and answer.dtype.kind in "fiu":
            return answer
        raise FairshotError(
            f"{self.name} returned an array of shape {answer.shape} and type {answer.dtype} for "
            f"{len(queries)} queries of {way} classes: return labels from 0 to "
            f"{way - 1}, or scores of shape ({len(queries)}, {way})"
        )


def _chosen(labels: np.ndarray, way: int) -> Num[np.ndarray, "query way"]:
    return (labels[:, None] == np.arange(way)).astype(np.float32)
