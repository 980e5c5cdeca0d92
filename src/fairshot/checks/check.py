"""A Check: one way in which the truth can reach an answer, looked for by asking the same question differently."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from fairshot.checks.finding import About, Finding, Outcome
from fairshot.checks.watch import Watch, Watched
from fairshot.learners.features import Features
from fairshot.learners.learner import Classifier, TaskBatch
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.seeds import Stream
from fairshot.sources.source import Source
from fairshot.splits.split import Split
from fairshot.tables.words import count_of
from fairshot.tasks.episodes import PAD, Episodes
from fairshot.tasks.task import BLOCK, TaskDistribution

Logits = Float[Tensor, "episode query way"]


@dataclass(frozen=True, eq=False)
class Case:
    """A learner, a part and a task, as they meet in an evaluation."""

    learner: Classifier
    part: Source
    task: TaskDistribution
    split: Split | None = None
    count: int = 8
    """Episodes that the learner answers; checks of data look at a whole block of them."""
    seed: int = 0

    @cached_property
    def drawn(self) -> Episodes:
        """More episodes than the learner answers, as integers only: what checks of the data look at."""
        wanted = max(BLOCK, 2 * self.count)
        return self.task.sample(self.part, range(min(wanted, self.task.length(self.part) or wanted)), self.seed)

    @cached_property
    def episodes(self) -> Episodes:
        """The episodes that the learner is asked."""
        return self.drawn[: self.count]

    @cached_property
    def features(self) -> Features:
        """The images of these episodes under the learner."""
        features = self.encoder
        features.require(self.episodes)
        return features

    @property
    def encoder(self) -> Features:
        """The learner, which is watched, before the images of the part; none of them is embedded yet."""
        Features(self.part, self.learner)  # refuses under the learner's own name what it cannot read
        return Features(self.part, Watched(self.learner, self.watch))

    @cached_property
    def watch(self) -> Watch:
        """What the learner opens, starts and connects to while it embeds and answers."""
        return Watch()

    @cached_property
    def snapshot(self) -> bytes | None:
        """The learner for another process, as it is when this is first asked for; None if it cannot be taken down."""
        from cloudpickle import dumps

        try:
            return dumps(self.learner)
        except Exception:  # locks, open files, handles
            return None

    @cached_property
    def unasked(self) -> Classifier | None:
        """A copy of the learner as it is when this is first asked for; None if there can be none.

        What its module keeps, and not the learner, is not copied.
        """
        try:
            return deepcopy(self.learner)
        except Exception:  # locks, open files, handles
            return None

    def fresh(self) -> "Case":
        """The same case with a copy of the learner that has answered nothing; with itself if it cannot be copied."""
        return replace(self, learner=self.learner if self.unasked is None else deepcopy(self.unasked))

    @cached_property
    def batch(self) -> TaskBatch:
        """The question that the learner is asked."""
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
        return self.answer(copy_batch(batch))

    def answer(self, batch: TaskBatch) -> Logits:
        """The answers to a question that the learner may write into."""
        try:
            with torch.inference_mode(), self.watch.watching():
                logits = self.learner.classify(batch)
        except FairshotError:
            raise
        except Exception as error:  # whatever foreign code may raise
            asked = f"{count_of(len(batch.way), 'task')} of {count_of(batch.query.shape[1], 'query')}"
            raise FairshotError(f"the learner failed on {asked} ({type(error).__name__}: {error})") from error
        return mask_ignored(batch, logits)


def mask_ignored(batch: TaskBatch, logits: Tensor) -> Logits:
    """Logits with minus infinity where an evaluation ignores them: padding, and classes that an episode lacks."""
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
        """The name of the file that it stands in."""
        return type(self).__module__.rpartition(".")[2]

    @abstractmethod
    def look(self, case: Case) -> tuple[Outcome, str]:
        """The outcome, and what was seen."""

    def find(self, case: Case) -> Finding:
        """The finding; a learner that fails once it is asked differently does not pass."""
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
    """Whatever a batch holds of each episode, by name."""
    values = {field.name: getattr(batch, field.name) for field in fields(batch)}
    return {name: value for name, value in values.items() if isinstance(value, Tensor)}


def copy_batch(batch: TaskBatch) -> TaskBatch:
    """A copy of a question that shares no memory with it."""
    return _changed(batch, Tensor.clone)


def select_episodes(batch: TaskBatch, episodes: slice) -> TaskBatch:
    """Some of the tasks of a batch."""
    return _changed(batch, lambda table: table[episodes])


def _changed(batch: TaskBatch, change: Callable[[Tensor], Tensor]) -> TaskBatch:
    changed: dict[str, Any] = {name: change(table) for name, table in tables(batch).items()}
    return replace(batch, **changed)


def reorder(values: Tensor, order: Int[Tensor, "episode place"]) -> Tensor:
    """Each episode's entries in an order of its own."""
    return torch.stack([row[places] for row, places in zip(values, order, strict=True)])


def shuffle_places(stream: Stream, counts: Int[Tensor, " episode"], width: int) -> Int[Tensor, "episode {width}"]:
    """For each episode its first places in random order; the rest, padding, stays where it is."""
    order = torch.arange(width).repeat(len(counts), 1)
    drawn = torch.from_numpy(stream.permutations(counts.numpy()))
    order[:, : drawn.shape[1]] = drawn
    return order


def find_in_support(
    case: Case, marks: Int[np.ndarray, " image"], *, itself: bool = False
) -> tuple[int, int, Sequence[tuple[int, int]]]:
    """Queries whose mark (group, twin, ...) an image of their own support bears; all queries; some such pairs.

    An image's own reappearance, turned or not, counts only if `itself` is asked for.
    """
    episodes, scale = case.drawn, int(marks.max(initial=0)) + 1
    asked, shown = episodes.query_ids != PAD, episodes.support_ids != PAD
    number = np.arange(len(episodes))[:, None] * scale
    query, support = (number + marks[case.part.rows(ids)] for ids in (episodes.query_ids, episodes.support_ids))
    met = np.isin(query, support[shown]) & asked
    if not itself:
        size = len(case.part.store) // case.part.turns
        ids = [np.arange(len(episodes))[:, None] * size + i % size for i in (episodes.query_ids, episodes.support_ids)]
        met &= ~np.isin(ids[0], ids[1][shown])
    pairs = []
    for episode, place in np.argwhere(met)[:3]:
        other = np.flatnonzero((support[episode] == query[episode, place]) & shown[episode])[0]
        pairs.append((int(episodes.query_ids[episode, place]), int(episodes.support_ids[episode, other])))
    return int(met.sum()), int(asked.sum()), pairs


def describe_image(source: Source, image_id: int) -> str:
    """An image as a person would look it up."""
    row = int(source.rows(np.array([image_id]))[0])
    marks = ", ".join(f"{name} {values[row]}" for name, values in source.attributes.items())
    return f"image {image_id} of '{source.class_names[source.class_ids[row]]}'{f' ({marks})' if marks else ''}"
