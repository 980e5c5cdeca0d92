"""Classifiers that answer one task after the other, on NumPy arrays: scikit-learn's estimators and plain functions."""

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import torch
from jaxtyping import Float, Int, Num
from torch import Tensor

from fairshot.learners.learner import Classifier, TaskBatch
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.user_file import failures_said

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
        deviations = self.support - self.support.mean(axis=0, dtype=np.float64)
        return float(np.sqrt((deviations**2).sum() / len(deviations))) or 1.0


class SingleTask(Classifier):
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
            shape = f"{len(support)} support images of {way} classes and {len(queries)} queries"
            with failures_said(f"{self.label} failed on {shape}"):
                scores = self.scores(Task(support, labels, queries, way, seeds[number]))
            logits[number, batch.query_mask[number], :way] = torch.from_numpy(np.asarray(scores, dtype=np.float32))
        return logits


def answer_scores(answer: np.ndarray, task: Task, name: str) -> Num[np.ndarray, "query way"]:
    """Labels as 1 for the class they name and 0 for others, scores as they are; anything else is refused."""
    queries, way = len(task.queries), task.way
    if are_labels(answer, task):
        return (answer[:, None] == np.arange(way)).astype(np.float32)
    if answer.shape == (queries, way) and answer.dtype.kind in "fiu":
        return answer
    raise FairshotError(
        f"{name} returned an array of shape {answer.shape} and type {answer.dtype} for {queries} queries of {way} "
        f"classes: return labels from 0 to {way - 1}, or scores of shape ({queries}, {way})"
    )


def are_labels(answer: np.ndarray, task: Task) -> bool:
    """Whether an answer names a class of the task for each query."""
    if answer.shape != (len(task.queries),) or answer.dtype.kind not in "iu":
        return False
    return bool((answer >= 0).all() and (answer < task.way).all())
