"""Trials on the support set: its own images are held out and answered by the others, with and without their class."""

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Bool, Int

from fairshot.learners.answers import answer_tasks
from fairshot.learners.features import Features
from fairshot.learners.learner import Classifier, TaskBatch
from fairshot.prediction.temperature import Logits
from fairshot.prediction.unknown_classes import Trial
from fairshot.runtime.seeds import Stream
from fairshot.sources.source import Source
from fairshot.tasks.episodes import PAD, Episodes

MOST_ROUNDS = 20  # in which one image a class is held out
FEW_ROUNDS = 5  # in which classes are left out besides
GROUPS = 5  # of classes that are left out in turn


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Support images that were answered by the others."""

    logits: Logits
    labels: Int[np.ndarray, " query"]
    turn: Int[np.ndarray, " image"]
    """The round in which each support image was asked; PAD if never."""

    @property
    def correct(self) -> Bool[np.ndarray, " query"]:
        """Which of them were answered rightly."""
        return self.logits.argmax(axis=1) == self.labels


def hold_out(features: Features, learner: Classifier) -> HeldOut:
    """In each round one image of every class that has another is answered by all that are left.

    One of every class rather than one in all: a class with an image fewer than its rivals is at a disadvantage.
    """
    source = features.source
    counts = source.members.counts
    order = Stream(0, "held out").permutations(np.array([len(source)]))[0]
    by_class = order[np.argsort(source.class_ids[order], kind="stable")]
    turn = np.empty(len(source), dtype=np.int64)
    turn[by_class] = np.arange(len(source)) - np.repeat(np.cumsum(counts) - counts, counts)
    turn[counts[source.class_ids] < 2] = PAD
    logits, labels = [np.zeros((0, len(counts)))], [np.zeros(0, dtype=np.int64)]
    for round_ in range(min(MOST_ROUNDS, int(turn.max()) + 1)):
        batch = features.batch(episode_of(source, support=turn != round_, asked=turn == round_))
        logits.append(classify_batch(learner, batch))
        labels.append(source.class_ids[turn == round_])
    return HeldOut(np.concatenate(logits), np.concatenate(labels), turn)


def episode_of(source: Source, *, support: Bool[np.ndarray, " image"], asked: Bool[np.ndarray, " image"]) -> Episodes:
    """One task of some images of the support set."""
    ids, labels = source.image_ids[None], source.class_ids[None]
    return Episodes(ids[:, support], labels[:, support], ids[:, asked], labels[:, asked], source.classes[None])


def classify_batch(learner: Classifier, batch: TaskBatch) -> Logits:
    """What the learner answers to a batch of one task."""
    with torch.inference_mode():
        return answer_tasks(learner, batch)[0].double().numpy()


def leave_classes_out(features: Features, learner: Classifier, turn: Int[np.ndarray, " image"]) -> Trial | None:
    """Rounds of held-out images with some classes missing from the support; None where too few classes are left.

    Held-out images of a missing class are then images of an unknown class.
    """
    source = features.source
    way = len(source.classes)
    groups = Stream(0, "left out").permutations(np.array([way]))[0] % min(way, GROUPS)
    left = [way - int((groups == group).sum()) for group in range(min(way, GROUPS))]
    if min(left) < 2 or any(learner.unable(count) for count in left):
        return None
    trial = Trial([], [])
    for round_ in range(min(FEW_ROUNDS, int(turn.max()) + 1)):
        for group in range(len(left)):
            shown = groups[source.class_ids] != group
            logits = _without(features, learner, support=shown & (turn != round_), asked=turn == round_)
            known = shown[turn == round_]
            trial.known.append(logits[known])
            trial.strange.append(logits[~known])
    return trial


def _without(
    features: Features, learner: Classifier, *, support: Bool[np.ndarray, " image"], asked: Bool[np.ndarray, " image"]
) -> Logits:
    """The answers of a support that lacks some classes; the others are numbered anew."""
    ids, labels = features.source.image_ids, features.source.class_ids
    classes, numbers = np.unique(labels[support], return_inverse=True)
    nobody = np.zeros((1, int(asked.sum())), dtype=np.int64)
    batch = features.batch(Episodes(ids[support][None], numbers[None], ids[asked][None], nobody, classes[None]))
    return classify_batch(learner, batch)
