"""Learners that answer one task after the other: scikit-learn's estimators and plain functions, on NumPy arrays."""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
import torch
from jaxtyping import Float, Int, Num
from torch import Tensor

from fairshot.learners.foreign.code import foreign_identity
from fairshot.learners.learner import Classifier, TaskBatch
from fairshot.runtime.errors import FairshotError

TOLERANCE = 1e-6  # scikit-learn's solvers stop a hundred times earlier, up to a percent away from the solution

Support = Float[np.ndarray, "support feature"]
Labels = Int[np.ndarray, " support"]
Queries = Float[np.ndarray, "query feature"]


@dataclass(frozen=True)
class Task:
    """One task, without padding."""

    support: Support
    labels: Labels
    queries: Queries
    way: int
    seed: int = 0
    """For whatever draws random numbers: another one in every task."""

    @property
    def in_units(self) -> "Task":
        """The same task in double precision, around the support's mean, in units of its deviation from it."""
        centre, unit = self.support.mean(axis=0, dtype=np.float64), self.unit
        return replace(self, support=(self.support - centre) / unit, queries=(self.queries - centre) / unit)

    @property
    def unit(self) -> float:
        """The root of the mean squared deviation of the support vectors from their mean; 1 if they are all the same."""
        apart = self.support - self.support.mean(axis=0, dtype=np.float64)
        return float(np.sqrt((apart**2).sum() / len(apart))) or 1.0


class PerTask(Classifier):
    """A classifier that is given one task at a time, each image as one flat vector."""

    threads: ClassVar = False

    seed: ClassVar[int] = 0

    @abstractmethod
    def scores(self, task: Task) -> Num[np.ndarray, "query way"]:
        """A score for each query and class."""

    def classify(self, batch: TaskBatch) -> Float[Tensor, "episode query way"]:
        """Task by task, without padding; such small problems get slower with more threads."""
        from threadpoolctl import threadpool_limits

        with threadpool_limits(1):
            return self._one_by_one(batch)

    def _one_by_one(self, batch: TaskBatch) -> Float[Tensor, "episode query way"]:
        logits = torch.full((*batch.query.shape[:2], batch.width), -torch.inf)
        seeds = batch.streams(self.seed, "estimator").integers(1 << 32).tolist()  # what scikit-learn takes
        for number, way in enumerate(batch.way.tolist()):
            support, labels, queries = (part.numpy() for part in batch.episode(number))
            try:
                scores = self.scores(Task(support, labels, queries, way, seeds[number]))
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
    seed: int = 0

    @property
    def random(self) -> bool:  # type: ignore[override]
        """Whether it has a random state that nobody has set."""
        return bool(unseeded(self.estimator))

    @property
    def settings(self) -> dict[str, Any]:
        """The estimator as scikit-learn prints it, and the seed where it draws."""
        own = {"seed": self.seed} if self.random else {}
        return {"estimator": " ".join(repr(self.estimator).split()), "file": self.file, **own}

    @property
    def identity(self) -> str | None:
        """All parameters to the last digit."""
        return foreign_identity((self.estimator, self.seed), self.file)

    def scores(self, task: Task) -> Num[np.ndarray, "query way"]:
        """1 for the predicted class; decision values are not asked, since their form differs between estimators."""
        return _chosen(fit_anew(self.estimator, task).predict(task.queries), task.way)


def fit_anew(estimator: Any, task: Task) -> Any:
    """A copy fitted on the support; where it would draw from a global generator it gets the task's seed."""
    from sklearn.base import clone

    copy = clone(estimator)
    return copy.set_params(**dict.fromkeys(unseeded(copy), task.seed)).fit(task.support, task.labels)


def unseeded(estimator: Any) -> frozenset[str]:
    """The parameters by which a scikit-learn estimator would draw from a global generator."""
    parameters = estimator.get_params().items()
    return frozenset(name for name, value in parameters if name.endswith("random_state") and value is None)


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

    def scores(self, task: Task) -> Num[np.ndarray, "query way"]:
        """What the function says, checked."""
        queries, way = task.queries, task.way
        answer = np.asarray(self.function(task.support, task.labels, queries))
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
