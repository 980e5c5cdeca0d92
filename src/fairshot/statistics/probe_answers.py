"""ProbeAnswers: what a learner answered to every test image after every draw of labelled images.

A probe has all its classes in every draw, and a fixed test set. Intervals for other labelled images, other test images
and other classes are sums over this table.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from jaxtyping import Bool, Float, Int, Num


@dataclass(frozen=True, eq=False, kw_only=True)
class ProbeLayout:
    """The pool that labelled images are drawn from, and the test images; class numbers run from 0."""

    pool_class: Int[np.ndarray, " pool"]
    pool_group: Int[np.ndarray, " pool"]
    """Images with the same number depend on each other."""
    test_class: Int[np.ndarray, " test"]
    """Test images of one class stand together, in the order of the classes."""
    test_group: Int[np.ndarray, " test"]
    parents: Int[np.ndarray, " class"]

    @property
    def classes(self) -> int:
        """How many classes there are."""
        return len(self.parents)

    @cached_property
    def pool_counts(self) -> Int[np.ndarray, " class"]:
        """Pool images of each class."""
        return np.bincount(self.pool_class, minlength=self.classes)

    @cached_property
    def test_counts(self) -> Int[np.ndarray, " class"]:
        """Test images of each class."""
        return np.bincount(self.test_class, minlength=self.classes)

    @cached_property
    def families(self) -> bool:
        """Whether classes come in parents: several of them, and not one for each class."""
        return 1 < len(np.unique(self.parents)) < self.classes

    @cached_property
    def balanced(self) -> bool:
        """Whether every class has as many test images, so that accuracy and macro accuracy are the same."""
        return bool((self.test_counts == self.test_counts[0]).all())

    def class_weights(self, metric: str) -> Float[np.ndarray, " class"]:
        """What a test image of each class counts (D60): all the same, or all classes the same."""
        if metric == "macro accuracy":
            return 1 / (self.classes * self.test_counts)
        return np.full(self.classes, 1 / len(self.test_class))


@dataclass(frozen=True, eq=False, kw_only=True)
class ProbeAnswers:
    """What one learner, or the difference of two, answered after each draw."""

    layout: ProbeLayout
    support: Int[np.ndarray, "draw class shot"]
    """Which pool images each draw labels, by their place in the pool."""
    correct: Num[np.ndarray, "draw test"]
    """1 or 0; for a difference of two learners 1, 0 or -1."""
    stolen: Float[np.ndarray, "draw class"]
    """The weight of the test images that would be answered correctly if a class were not there (D62)."""
    stolen_by_parent: Float[np.ndarray, "draw parent"] | None = None
    """The same for all classes of a parent at once, where there are several parents."""
    stolen_pairs: Float[np.ndarray, "class class"] | None = None
    """The mean over draws of what each class loses to each other one; None where that was not counted."""
    metric: str = "accuracy"

    @property
    def draws(self) -> int:
        """How many draws there are."""
        return len(self.correct)

    @property
    def shot(self) -> int:
        """Labelled images of each class."""
        return self.support.shape[2]

    @cached_property
    def weights(self) -> Float[np.ndarray, " class"]:
        """What a test image of each class counts."""
        return self.layout.class_weights(self.metric)

    @cached_property
    def class_scores(self) -> Float[np.ndarray, "draw class"]:
        """What each class adds to the score of each draw."""
        starts = np.cumsum(self.layout.test_counts) - self.layout.test_counts
        return np.add.reduceat(self.correct, starts, axis=1, dtype=np.float64) * self.weights

    @cached_property
    def scores(self) -> Float[np.ndarray, " draw"]:
        """The score of each draw (D60)."""
        return self.class_scores.sum(axis=1)

    @cached_property
    def test_means(self) -> Float[np.ndarray, " test"]:
        """How often each test image is answered correctly."""
        return self.correct.mean(axis=0, dtype=np.float64)

    def minus(self, other: "ProbeAnswers") -> "ProbeAnswers":
        """The difference of two learners, or of two shots of one, on the same draws; the larger support is kept."""
        by_parent = None
        if self.stolen_by_parent is not None and other.stolen_by_parent is not None:
            by_parent = self.stolen_by_parent - other.stolen_by_parent
        pairs = None
        if self.stolen_pairs is not None and other.stolen_pairs is not None:
            pairs = self.stolen_pairs - other.stolen_pairs
        return replace(
            self,
            support=max(self.support, other.support, key=lambda support: (support.shape[2], len(support))),
            correct=self.correct.astype(np.int8) - other.correct.astype(np.int8),
            stolen=self.stolen - other.stolen,
            stolen_by_parent=by_parent,
            stolen_pairs=pairs,
        )

    def some(self, draws: Bool[np.ndarray, " draw"] | slice) -> "ProbeAnswers":
        """The answers after some of the draws."""
        by_parent = None if self.stolen_by_parent is None else self.stolen_by_parent[draws]
        return replace(
            self,
            support=self.support[draws],
            correct=self.correct[draws],
            stolen=self.stolen[draws],
            stolen_by_parent=by_parent,
            stolen_pairs=None,
        )
