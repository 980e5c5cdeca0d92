"""A ProbeScorer: one learner before draws of labelled images; some draws in, its answers to all test images out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from jaxtyping import Bool, Float, Int, Integer
from torch import Tensor

from fairshot.learners.answers import answer_tasks
from fairshot.learners.features import Features
from fairshot.learners.learner import Classifier, TaskBatch
from fairshot.runtime.seeds import hash_sets
from fairshot.sources.source import Source
from fairshot.statistics.probe_answers import ProbeAnswers, ProbeLayout
from fairshot.tasks.episodes import PAD

LOGITS = 1 << 22  # held at a time: several draws make one large product, and more than that no longer fit the cache

PerQuery = Integer[Tensor, "draw test"]


@dataclass(frozen=True, eq=False)
class Answered:
    """What was found after some draws: which answers are right, and what each class or parent takes from others."""

    correct: Bool[np.ndarray, "draw test"]
    stolen: Mapping[str, Float[np.ndarray, "draw class"]]
    """By metric."""
    stolen_by_parent: Mapping[str, Float[np.ndarray, "draw parent"]]
    pairs: Mapping[str, Float[np.ndarray, "class class"]]
    """The same by the class that loses and the class that takes, summed over the draws."""


@dataclass(frozen=True, eq=False)
class ProbeScorer:
    """A learner, the features that it sees of pool and test, and the layout of both."""

    features: Features
    learner: Classifier
    pool: Source
    test_ids: Int[np.ndarray, " test"]
    """In the order of the layout's test images."""
    layout: ProbeLayout
    class_vectors: Float[np.ndarray, "class feature"] | None = None
    metrics: tuple[str, ...] = ("accuracy",)

    def __call__(self, image_ids: Int[np.ndarray, "draw class shot"]) -> Answered:
        """Lets the learner answer all test images after each draw, as many draws at a time as are quick."""
        step = max(1, LOGITS // (len(self.test_ids) * self.layout.classes))
        parts = [self._answer(image_ids[start : start + step]) for start in range(0, len(image_ids), step)]
        return join_answered(parts)

    @cached_property
    def _queries(self) -> Float[Tensor, "1 test ..."]:
        return self.features.gather(self.test_ids[None])

    def __getstate__(self) -> dict[str, object]:
        """Without the test images: another process makes its own from the shared table."""
        return {name: value for name, value in vars(self).items() if name != "_queries"}

    def batch(self, image_ids: Int[np.ndarray, "draw class shot"]) -> TaskBatch:
        """What the learner sees of these draws; the test images are the same for all and are not copied."""
        draws, classes, shot = image_ids.shape
        flat = image_ids.reshape(draws, -1)
        queries = self._queries.expand(draws, *self._queries.shape[1:])
        vectors = None if self.class_vectors is None else torch.from_numpy(self.class_vectors)
        return TaskBatch(
            support=self.features.gather(flat),
            support_labels=torch.arange(classes).repeat_interleave(shot).expand(draws, -1).contiguous(),
            query=queries,
            query_mask=torch.ones(queries.shape[:2], dtype=torch.bool),
            way=torch.full((draws,), classes),
            width=classes,
            seeds=torch.from_numpy(hash_sets(flat, nothing=PAD)),
            class_vectors=None if vectors is None else vectors.expand(draws, *vectors.shape),
        )

    def _answer(self, image_ids: Int[np.ndarray, "draw class shot"]) -> Answered:
        with torch.inference_mode():
            return judge(answer_tasks(self.learner, self.batch(image_ids)), self.layout, self.metrics)

    def answers(self, image_ids: Int[np.ndarray, "draw class shot"], parts: Sequence[Answered]) -> list[ProbeAnswers]:
        """What was answered after all draws, once for each metric."""
        whole, support = join_answered(parts), self.pool.rows(image_ids)
        return [
            ProbeAnswers(
                layout=self.layout,
                support=support,
                correct=whole.correct.view(np.int8),
                stolen=whole.stolen[metric],
                stolen_by_parent=whole.stolen_by_parent.get(metric),
                stolen_pairs=whole.pairs[metric] / len(image_ids),
                metric=metric,
            )
            for metric in self.metrics
        ]


def judge(logits: Float[Tensor, "draw test way"], layout: ProbeLayout, metrics: Sequence[str]) -> Answered:
    """Which answers are right, and which of the wrong ones would be without one class, or one parent (D62).

    NumPy compares and counts several times as fast as torch does.
    """
    labels = torch.from_numpy(layout.test_class)
    true = logits.gather(2, labels.expand(len(logits), -1)[:, :, None])
    given, wanted = logits.numpy(), true.numpy()
    above = np.greater(given, wanted)
    count = _count(above)
    correct = count == 0
    if int(_count(np.equal(given, wanted)).max()) > 1:  # somewhere two classes are equally good: the first is chosen
        correct &= logits.argmax(2).numpy() == layout.test_class
    single = torch.from_numpy((count == 1) & ~correct)
    places = np.arange(given.shape[2], dtype=count.dtype)
    summed = np.add.reduce(above.view(np.uint8) * places, axis=2, dtype=count.dtype)
    thief = torch.from_numpy(summed).long() * single  # where it is one, its place is the sum
    weights = {metric: torch.from_numpy(layout.class_weights(metric))[labels] for metric in metrics}
    stolen = {metric: _taken(single, thief, weight, layout.classes) for metric, weight in weights.items()}
    pairs = {metric: _taken_pairs(single, thief, labels, weight) for metric, weight in layout_weights(layout, metrics)}
    by_parent = {}
    if layout.families:
        blamed, parent = _blamed_parents(
            torch.from_numpy(above), torch.from_numpy(count), labels, torch.from_numpy(layout.parents)
        )
        parents = int(layout.parents.max()) + 1
        by_parent = {metric: _taken(blamed, parent, weight, parents) for metric, weight in weights.items()}
    return Answered(correct, stolen, by_parent, pairs)


def _count(held: Bool[np.ndarray, "draw test way"]) -> Integer[np.ndarray, "draw test"]:
    """For how many classes something holds, in the smallest numbers that can count them."""
    small = np.uint8 if held.shape[2] <= np.iinfo(np.uint8).max else np.int32
    return np.add.reduce(held.view(np.uint8), axis=2, dtype=small)


def layout_weights(layout: ProbeLayout, metrics: Sequence[str]) -> list[tuple[str, Float[np.ndarray, " class"]]]:
    """What a test image of each class counts, for each metric."""
    return [(metric, layout.class_weights(metric)) for metric in metrics]


def _taken_pairs(
    taken: Bool[Tensor, "draw test"], by: PerQuery, labels: Int[Tensor, " test"], weight: Float[np.ndarray, " class"]
) -> Float[np.ndarray, "class class"]:
    """The weight of the test images that each class loses to each other one, summed over draws."""
    classes = len(weight)
    keys = (labels * classes + by)[taken].numpy()
    return np.bincount(keys, minlength=classes**2).reshape(classes, classes) * weight[:, None]


def _taken(
    taken: Bool[Tensor, "draw test"], by: PerQuery, weight: Float[Tensor, " test"], units: int
) -> Float[np.ndarray, "draw unit"]:
    """The weight of the test images that each unit takes from others, draw by draw."""
    amounts = torch.zeros(len(taken), units, dtype=torch.float64)
    return amounts.scatter_add_(1, by, taken * weight).numpy()


def _blamed_parents(
    above: Bool[Tensor, "draw test way"], count: PerQuery, labels: Int[Tensor, " test"], parents: Int[Tensor, " way"]
) -> tuple[Bool[Tensor, "draw test"], PerQuery]:
    """The test images that would be right without the classes of one parent that is not their own, and that parent."""
    members = torch.nn.functional.one_hot(parents).float()
    best = (above.float() @ members).max(2)
    return (count > 0) & (best.values == count) & (best.indices != parents[labels]), best.indices


def join_answered(parts: Sequence[Answered]) -> Answered:
    """The answers of one portion of draws after the other."""
    if len(parts) == 1:
        return parts[0]
    first = parts[0]
    return Answered(
        np.concatenate([part.correct for part in parts]),
        {name: np.concatenate([part.stolen[name] for part in parts]) for name in first.stolen},
        {name: np.concatenate([part.stolen_by_parent[name] for part in parts]) for name in first.stolen_by_parent},
        {name: np.sum([part.pairs[name] for part in parts], axis=0) for name in first.pairs},
    )
