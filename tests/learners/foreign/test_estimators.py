"""Estimators of others."""

import numpy as np
from sklearn.neighbors import KNeighborsClassifier

import fairshot as fs
from tests.test_surface import vectors


class Nearest:
    """Has fit and predict, and nothing else of scikit-learn."""

    def fit(self, images: np.ndarray, labels: np.ndarray) -> None:
        self.images, self.labels = images, labels

    def predict(self, images: np.ndarray) -> np.ndarray:
        return self.labels[((images[:, None] - self.images) ** 2).sum(2).argmin(1)]


def test_fit_and_predict_are_all_that_is_needed() -> None:
    learner = Nearest()
    learners = {"own": learner, "sklearn": KNeighborsClassifier(1)}
    evaluation = fs.evaluate(vectors(), learners, query=3, episodes=20)
    assert evaluation["own"].value == evaluation["sklearn"].value
    assert vars(learner) == {}, "what was given is copied before it is fitted"
