"""A Check: one way in which the truth can reach an answer, looked for by asking the same question differently."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from fairshot.checks.finding import About, Finding, Outcome
from fairshot.learners.features import Features
from fairshot.learners.learner import Classifier, TaskBatch
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.seeds import Stream
from fairshot.sources.source import Source
from fairshot.splits.split import Split
from fairshot.tasks.episodes import PAD, Episodes
from fairshot.tasks.task import BLOCK, TaskDistribution

Logits = Float[Tensor, "episode query way"]


@dataclass(frozen=True, eq=False)
class Case:
    """A learner before a part and a task, as in an evaluation."""

    learner: Classifier
    part: Source
    task: TaskDistribution
    split: Split | None = None
    count: int = 12
    """Episodes that the learner answers; checks of data look at a whole block of them."""
    seed: int = 0

    @cached_property
    def drawn(self) -> Episodes:
        """Many episodes, as integers only."""
        wanted = max(BLOCK, 2 * self.count)
        return self.task.sample(self.part, range(min(wanted, self.task.length(self.part) or wanted)), self.seed)

    @cached_property
    def episodes(self) -> Episodes:
        """The episodes that the learner is asked."""
        return self.drawn[: self.count]

    @cached_property
    def features(self) -> Features:
        """The images of these episodes under the learner."""
        features = Features(self.part, self.learner)
        features.require(self.episodes)
        return features

    @cached_property
    def batch(self) -> TaskBatch:
        """The question."""
        return self.features.batch(self.episodes)

    @cached_property
    def logits(self) -> Logits:
        """The answers to the question as an evaluation asks it."""
        return self.ask(self.batch)

    @cached_property
    def truth(self) -> Int[Tensor, "episode query"]:
        """The right answers."""
        return torch.from_numpy(np.ascontiguousarray(self.episodes.query_labels))

    def stream(self, *path: int | str) -> Stream:
        """Random numbers for one check."""
        return Stream(self.seed, "check", *path)

    def ask(self, batch: TaskBatch) -> Logits:
        """The answers to any question; it is copied first, so that a learner that writes into it harms no other."""
        return self.answer(copied(batch))

    def answer(self, batch: TaskBatch) -> Logits:
        """The answers, without those that an evaluation ignores: of classes that an episode has not, and of padding."""
        try:
            with torch.inference_mode():
                logits = self.learner.classify(batch)
        except FairshotError:
            raise
        except Exception as error:  # whatever foreign code may raise
            asked = f"{len(batch.way)} tasks of {batch.query.shape[1]} queries"
            raise FairshotError(f"the learner failed on {asked} ({type(error).__name__}: {error})") from error
        expected = (*batch.query.shape[:2], batch.width)
        if tuple(logits.shape) != expected:
            raise FairshotError(
                f"the learner returned logits of shape {tuple(logits.shape)}: it must be {expected}, for episode, "
                "query and class"
            )
        ignored = (torch.arange(batch.width) >= batch.way[:, None])[:, None, :] | ~batch.query_mask[:, :, None]
        logits = logits.to(torch.float32).masked_fill(ignored, -torch.inf)
        if torch.isnan(logits).any():
            raise FairshotError("the learner answered NaN: a classifier returns a number for each query and class")
        return logits


class Check(ABC):
    """One way of looking for a leak; its file's first line says what it means."""

    about: ClassVar[About]

    @property
    def name(self) -> str:
        """As the file is called."""
        return type(self).__module__.rpartition(".")[2]

    @abstractmethod
    def look(self, case: Case) -> tuple[Outcome, str]:
        """The outcome, and what was seen."""

    def find(self, case: Case) -> Finding:
        """The outcome with its name; a learner that fails once it is asked differently does not pass."""
        try:
            return Finding(self.name, self.about, *self.look(case))
        except FairshotError as error:
            if self.about == "data":
                raise
            return Finding(self.name, self.about, "leak", f"asked so, it cannot answer: {error}")


class LearnerCheck(Check):
    """A check of how a learner answers."""

    about = "learner"


class DataCheck(Check):
    """A check of images, splits and tasks."""

    about = "data"


def tables(batch: TaskBatch) -> dict[str, Tensor]:
    """The arrays of a batch by name."""
    names = ("support", "support_labels", "query", "query_mask", "way", "seeds")
    return {name: getattr(batch, name) for name in names}


def copied(batch: TaskBatch) -> TaskBatch:
    """The same question in memory of its own."""
    return _changed(batch, Tensor.clone)


def only(batch: TaskBatch, episodes: slice) -> TaskBatch:
    """Some of the tasks of a batch."""
    return _changed(batch, lambda table: table[episodes])


def _changed(batch: TaskBatch, change: Callable[[Tensor], Tensor]) -> TaskBatch:
    return TaskBatch(width=batch.width, **{name: change(table) for name, table in tables(batch).items()})


def reordered(values: Tensor, order: Int[Tensor, "episode place"]) -> Tensor:
    """Each episode's entries in an order of its own."""
    return torch.stack([row[places] for row, places in zip(values, order, strict=True)])


def shuffled_places(stream: Stream, counts: Int[Tensor, " episode"], width: int) -> Int[Tensor, "episode {width}"]:
    """For each episode its first places in random order; the rest, padding, stays where it is."""
    order = torch.arange(width).repeat(len(counts), 1)
    drawn = torch.from_numpy(stream.permutations(counts.numpy()))
    order[:, : drawn.shape[1]] = drawn
    return order


def met_in_support(
    case: Case, marks: Int[np.ndarray, " image"], *, itself: bool = False
) -> tuple[int, int, Sequence[tuple[int, int]]]:
    """Queries whose mark (group, twin, ...) an image of their own support bears; all queries; some such pairs.

    An image's own reappearance counts only if `itself` is asked for.
    """
    episodes, scale = case.drawn, int(marks.max(initial=0)) + 1
    asked, shown = episodes.query_ids != PAD, episodes.support_ids != PAD
    number = np.arange(len(episodes))[:, None] * scale
    query, support = (number + marks[case.part.rows(ids)] for ids in (episodes.query_ids, episodes.support_ids))
    met = np.isin(query, support[shown]) & asked
    if not itself:
        size = len(case.part.store)
        ids = [np.arange(len(episodes))[:, None] * size + i for i in (episodes.query_ids, episodes.support_ids)]
        met &= ~np.isin(ids[0], ids[1][shown])
    pairs = []
    for episode, place in np.argwhere(met)[:3]:
        other = np.flatnonzero((support[episode] == query[episode, place]) & shown[episode])[0]
        pairs.append((int(episodes.query_ids[episode, place]), int(episodes.support_ids[episode, other])))
    return int(met.sum()), int(asked.sum()), pairs


def named(source: Source, image_id: int) -> str:
    """An image as a person would look it up."""
    row = int(source.rows(np.array([image_id]))[0])
    marks = ", ".join(f"{name} {values[row]}" for name, values in source.attributes.items())
    return f"image {image_id} of '{source.class_names[source.class_ids[row]]}'{f' ({marks})' if marks else ''}"
