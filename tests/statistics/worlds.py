"""Simulated populations: classes and images of known difficulty, and a learner whose answers follow from them."""

from dataclasses import dataclass

import numpy as np

from fairshot.sources.array import from_arrays
from fairshot.sources.source import Source
from fairshot.statistics.answers import Answers, layout_of, tabulate
from fairshot.statistics.scores import Scores
from fairshot.tasks.episodes import PAD, Episodes
from fairshot.tasks.task import ClassTask


def make_source(counts: np.ndarray, parents: int = 1) -> Source:
    labels = np.repeat(np.arange(len(counts)), counts)
    names = np.array([f"p{c % parents}" for c in range(len(counts))]) if parents > 1 else None
    return from_arrays(np.zeros((len(labels), 1), dtype=np.float32), labels, parents=names)


def random_scores(source: Source, episodes: Episodes, rng: np.random.Generator) -> Scores:
    """Correctness that depends on class, query image, support images and episode, with chance on top."""
    asked = episodes.query_labels != PAD
    owner = np.take_along_axis(episodes.class_ids, np.maximum(episodes.query_labels, 0), 1)
    classes, images = rng.normal(size=len(source.class_names)), rng.normal(size=(2, len(source)))
    support = np.where(episodes.support_ids == PAD, 0, images[1][episodes.support_ids]).mean(1, keepdims=True)
    logit = 0.5 + classes[owner] + images[0][episodes.query_ids] + support
    correct = (rng.random(asked.shape) < 1 / (1 + np.exp(-logit))) & asked
    return Scores(correct.sum(1) / asked.sum(1), correct, asked)


@dataclass(frozen=True)
class Case:
    """Everything about one simulated evaluation."""

    task: ClassTask
    source: Source
    sampled: Episodes
    scores: Scores

    @property
    def answers(self) -> Answers:
        return tabulate(layout_of(self.source), self.sampled, self.scores)


def make_case(task: ClassTask, counts: np.ndarray, *, episodes: int, parents: int = 1, seed: int = 0) -> Case:
    rng = np.random.default_rng(seed)
    source = make_source(counts, parents)
    sampled = task.sample(source, range(episodes), seed)
    return Case(task, source, sampled, random_scores(source, sampled, rng))
