"""Learners that answer one task after the other: scikit-learn's estimators and plain functions, on NumPy arrays."""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import torch
from jaxtyping import Float, Int, Num
from torch import Tensor

from fairshot.learners.foreign import foreign_identity
from fairshot.learners.learner import Classifier, TaskBatch
from fairshot.runtime.errors import FairshotError

Support = Float[np.ndarray, "support feature"]
Labels = Int[np.ndarray, " support"]
Queries = Float[np.ndarray, "query feature"]


class PerTask(Classifier):
    """A classifier that is given one task at a time, each image as one flat vector."""

    threads: ClassVar = False

    @abstractmethod
    def scores(self, support: Support, labels: Labels, queries: Queries, way: int) -> Num[np.ndarray, "query way"]:
        """A score for each query and class."""

    def classify(self, batch: TaskBatch) -> Float[Tensor, "episode query way"]:
        """Task by task, without padding; such small problems get slower with more threads."""
        from threadpoolctl import threadpool_limits

        with threadpool_limits(1):
            return self._one_by_one(batch)

    def _one_by_one(self, batch: TaskBatch) -> Float[Tensor, "episode query way"]:
        logits = torch.full((*batch.query.shape[:2], batch.width), -torch.inf)
        for number, way in enumerate(batch.way.tolist()):
            support, labels, queries = (part.numpy() for part in batch.episode(number))
            try:
                scores = self.scores(support, labels, queries, way)
            except FairshotError:
                raise
            except Exception as error:  # whatever foreign code may raise
                shape = f"{len(support)} support images of {way} classes and {len(queries)} queries"
                raise FairshotError(f"the learner failed on {shape} ({type(error).__name__}: {error})") from error
            logits[number, batch.query_mask[number], :way] = torch.from_numpy(np.asarray(scores, dtype=np.float32))
        return logits


@dataclass(frozen=True)
class Estimator(PerTask):
    """Any scikit-learn classifier, cloned and fitted anew for every task; what it predicts is its answer."""

    estimator: Any
    file: str = ""
    """The hash of the file it came from."""

    @property
    def settings(self) -> dict[str, Any]:
        """The estimator as scikit-learn prints it."""
        return {"estimator": " ".join(repr(self.estimator).split()), "file": self.file}

    @property
    def identity(self) -> str | None:
        """All parameters to the last digit."""
        return foreign_identity(self.estimator, self.file)

    def scores(self, support: Support, labels: Labels, queries: Queries, way: int) -> Num[np.ndarray, "query way"]:
        """1 for the predicted class; decision values are not asked, since their form differs between estimators."""
        return _chosen(fit_anew(self.estimator, support, labels).predict(queries), way)


def fit_anew(estimator: Any, support: Support, labels: Labels) -> Any:
    """A fitted copy; where it would draw from a global generator it gets a seed, so that answers can be repeated."""
    from sklearn.base import clone

    copy = clone(estimator)
    unseeded = [name for name, value in copy.get_params().items() if name.endswith("random_state") and value is None]
    return copy.set_params(**dict.fromkeys(unseeded, 0)).fit(support, labels)


def decision_values(estimator: Any, queries: Queries) -> Num[np.ndarray, "query way"]:
    """A value for each class, also where scikit-learn gives a single one for two classes."""
    values = estimator.decision_function(queries)
    return np.stack([-values, values], axis=1) if values.ndim == 1 else values


@dataclass(frozen=True)
class Function(PerTask):
    """Any function f(support_x, support_y, query_x) that returns labels or a score for each query and class."""

    function: Callable[[Support, Labels, Queries], np.ndarray] = field(repr=False)
    name: str = "function"
    file: str = ""
    """The hash of the file it came from."""

    @property
    def settings(self) -> dict[str, Any]:
        """Nothing can be told of a function but its file."""
        return {"file": self.file}

    @property
    def identity(self) -> str | None:
        """The code and what it refers to."""
        return foreign_identity(self.function, self.file)

    def scores(self, support: Support, labels: Labels, queries: Queries, way: int) -> Num[np.ndarray, "query way"]:
        """What the function says, checked."""
        answer = np.asarray(self.function(support, labels, queries))
        are_labels = answer.shape == (len(queries),) and answer.dtype.kind in "iu"
        if are_labels and (answer >= 0).all() and (answer < way).all():
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
