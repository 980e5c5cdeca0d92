"""Answers of somebody's own learner that cannot be right are refused, and the learner is named."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import torch
from sklearn.base import BaseEstimator, ClassifierMixin
from torch import Tensor

import fairshot as fs
from fairshot.learners.answers import answer_tasks
from fairshot.learners.learner import TaskBatch
from fairshot.runtime.errors import FairshotError

RNG = np.random.default_rng(0)
DATA = (RNG.normal(size=(60, 4)), np.repeat(np.arange(6), 10))


class Says(ClassifierMixin, BaseEstimator):
    """Predicts whatever a function makes of the number of queries."""

    def __init__(self, answer: Callable[[int], Any] | None = None) -> None:
        self.answer = answer

    def fit(self, x: np.ndarray, y: np.ndarray) -> "Says":
        return self

    def predict(self, x: np.ndarray) -> Any:
        return self.answer(len(x))


RIGHT = {
    "floats": lambda count: np.zeros(count),
    "truths": lambda count: np.ones(count, dtype=bool),
    "objects": lambda count: np.array([2] * count, dtype=object),
    "a list": lambda count: [1] * count,
}
WRONG = {
    "cat, cat, cat, ... (shape (6,), type <U3)": lambda count: np.array(["cat"] * count),
    "0, 0, 0, ... (shape (6,), type <U1)": lambda count: np.array(["0"] * count),
    "nan, nan, nan, ... (shape (6,), type float64)": lambda count: np.full(count, np.nan),
    "0.5, 0.5, 0.5, ... (shape (6,), type float64)": lambda count: np.full(count, 0.5),
    "3, 3, 3, ... (shape (6,), type int64)": lambda count: np.full(count, 3),
    "-1, -1, -1, ... (shape (6,), type int64)": lambda count: np.full(count, -1),
    "1 (shape (), type int64)": lambda count: 1,
    "1 (shape (1,), type int64)": lambda count: [1],
    "0, 0, 0, ... (shape (6, 1), type int64)": lambda count: [[0]] * count,
    "a, a, a, ... (shape (6,), type object)": lambda count: np.array(["a"] * count, dtype=object),
}


@pytest.mark.parametrize("kind", RIGHT)
def test_labels_may_be_numbers_of_any_type(kind: str) -> None:
    result = fs.evaluate(DATA, Says(RIGHT[kind]), way=3, query=2, episodes=2)
    assert result.rows[0].value is not None


@pytest.mark.parametrize("shown", WRONG)
def test_an_estimator_that_predicts_no_label_is_named(shown: str) -> None:
    with pytest.raises(FairshotError) as caught:
        fs.evaluate(DATA, Says(WRONG[shown]), way=3, query=2, episodes=2)
    assert str(caught.value) == (
        f"Says predicted {shown} for 6 queries: an estimator's predict returns one of the labels that it was fitted with "
        "for each query, from 0 to 2"
    )


def broken(support_x: np.ndarray, support_y: np.ndarray, query_x: np.ndarray) -> np.ndarray:
    raise ValueError("no luck")


def nan(support_x: np.ndarray, support_y: np.ndarray, query_x: np.ndarray) -> np.ndarray:
    return np.full((len(query_x), 3), np.nan)


def short(images: np.ndarray) -> np.ndarray:
    return images[:1]


def infinite(images: np.ndarray) -> np.ndarray:
    return np.full((len(images), 2), np.inf)


@dataclass(frozen=True)
class Wide(fs.learners.Classifier):
    """Answers with a column too many."""

    def classify(self, batch: TaskBatch) -> Tensor:
        return torch.zeros(*batch.query_mask.shape, batch.width + 1)


@dataclass(frozen=True)
class Listed(fs.learners.Classifier):
    """Answers with no tensor at all."""

    def classify(self, batch: TaskBatch) -> Any:
        return [0]


@dataclass(frozen=True)
class Raises(fs.learners.Classifier):
    """Answers with an error of two lines, or tries to end the program."""

    error: BaseException

    def classify(self, batch: TaskBatch) -> Tensor:
        raise self.error


@dataclass(frozen=True)
class Complex(fs.learners.Classifier):
    """Answers with numbers that have no order."""

    def classify(self, batch: TaskBatch) -> Tensor:
        return torch.zeros(*batch.query_mask.shape, batch.width, dtype=torch.complex64)


def leaves(support_x: np.ndarray, support_y: np.ndarray, query_x: np.ndarray) -> np.ndarray:
    sys.exit(5)


MISTAKES = [
    (leaves, "leaves failed on 3 support images of 3 classes and 6 queries (SystemExit: 5)"),
    (Raises(ValueError("first\nsecond")), "Raises failed on 1 tasks of 3 classes (ValueError: first second)"),
    (Raises(SystemExit(0)), "Raises failed on 1 tasks of 3 classes (SystemExit: 0)"),
    (Complex(), "Complex answered with torch.complex64: classify returns a number for each class"),
    (broken, "broken failed on 3 support images of 3 classes and 6 queries (ValueError: no luck)"),
    (nan, "nan answered NaN: a classifier returns a number for each query and class"),
    (short, "short gave 1 rows for 9 images when it embedded: an encoder returns one finite vector per image"),
    (
        infinite,
        "infinite gave NaN or infinite values when it embedded: an encoder returns one finite vector per image",
    ),
    (
        torch.nn.Linear(3, 2),
        "Linear failed on an array of 9 x 4 (RuntimeError: mat1 and mat2 shapes cannot be multiplied (9x4 and 3x2))",
    ),
    (
        Wide(),
        "Wide answered with something of shape (1, 6, 4): classify returns a logit for each task, query and class, here of "
        "shape (1, 6, 3)",
    ),
    (
        Listed(),
        "Listed answered with something of type list: classify returns a logit for each task, query and class, here of "
        "shape (1, 6, 3)",
    ),
    (
        3,
        "an int is neither a scikit-learn estimator, nor f(support_x, support_y, query_x), nor an encoder f(images), nor a "
        "Classifier",
    ),
]


@pytest.mark.parametrize(("learner", "message"), MISTAKES, ids=[str(number) for number in range(len(MISTAKES))])
def test_objects_that_answer_nonsense_are_named_as_clearly_as_files(learner: Any, message: str) -> None:
    with pytest.raises(FairshotError) as caught:
        fs.evaluate(DATA, [learner], way=3, query=2, episodes=1, backend="serial")
    assert str(caught.value) == message


def test_what_does_not_count_may_be_anything() -> None:
    logits = torch.zeros(2, 3, 4)
    logits[0, 2] = logits[1, :, 3] = torch.nan  # a padded query, and a class that is not there

    @dataclass(frozen=True)
    class Padded(fs.learners.Classifier):
        def classify(self, batch: TaskBatch) -> Tensor:
            return logits

    mask = torch.tensor([[True, True, False], [True, True, True]])
    batch = TaskBatch(
        support=torch.zeros(2, 4, 1),
        support_labels=torch.zeros(2, 4, dtype=torch.long),
        query=torch.zeros(2, 3, 1),
        query_mask=mask,
        way=torch.tensor([4, 3]),
        width=4,
    )
    assert answer_tasks(Padded(), batch) is logits
    logits[1, 0, 2] = torch.nan
    with pytest.raises(FairshotError, match=r"^Padded answered NaN"):
        answer_tasks(Padded(), batch)
