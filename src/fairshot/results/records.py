"""Records: the scores of every query and the episodes behind a result, in memory or wherever a store keeps them."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from fairshot.runtime.errors import FairshotError
from fairshot.sources.source import Source
from fairshot.statistics.answers import Layout, drawable_layout
from fairshot.statistics.scores import Scores
from fairshot.tasks.block_memory import shrink, widen
from fairshot.tasks.episodes import Episodes, join
from fairshot.tasks.task import BLOCK, TaskDistribution

if TYPE_CHECKING:
    from fairshot.results.schema import Result, SourceName


class Records(ABC):
    """Gives the scores and the episodes that a row of a result names by their keys."""

    @abstractmethod
    def scores(self, key: str) -> Scores:
        """The scores of one row, or of one of the runs it is the mean of."""

    @abstractmethod
    def episodes(self, key: str, count: int) -> tuple[Layout, Episodes]:
        """The first episodes under a key, and what they could have drawn from."""


class Store(Records):
    """Keeps what an evaluation finds, so that the same evaluation goes on where it was interrupted."""

    @abstractmethod
    def refuse_other(self, source: "SourceName", seed: int) -> None:
        """Raises if the store holds results of other data or of another seed."""

    @abstractmethod
    def find_scores(self, key: str) -> Scores | None:
        """The scores that are kept under a key so far."""

    @abstractmethod
    def keep_scores(self, key: str, scores: Scores) -> None:
        """Keeps the scores under a key."""

    @abstractmethod
    def keep(self, result: "Result", records: Records) -> None:
        """Adds a whole result to what is kept."""


@dataclass(frozen=True)
class EpisodeList:
    """The episodes of one task on one part, drawn again whenever they are asked for."""

    task: TaskDistribution
    part: Source
    seed: int

    @property
    def layout(self) -> Layout:
        """The classes and images that episodes could draw from."""
        return drawable_layout(self.task, self.part)

    def first(self, count: int) -> Episodes:
        """So many episodes from the first on, in the smallest integers that hold them."""
        blocks = (range(start, min(start + BLOCK, count)) for start in range(0, count, BLOCK))
        return join([shrink(self.task.sample(self.part, block, self.seed)) for block in blocks])


@dataclass(frozen=True, eq=False)
class MemoryRecords(Records):
    """Scores by key, and lists of episodes by key, in memory."""

    scores_by_key: Mapping[str, Scores] = field(default_factory=dict)
    lists_by_key: Mapping[str, EpisodeList] = field(default_factory=dict)
    ask: Mapping[str, Callable[[Episodes], np.ndarray]] = field(default_factory=dict)
    """By learner, what gives the labels that it answers: scores say what was right, and not what was said instead."""

    def scores(self, key: str) -> Scores:
        """The scores of one row, or of one of the runs it is the mean of."""
        if key not in self.scores_by_key:
            raise FairshotError("this row has no scores of its own: it was made out of other rows")
        return self.scores_by_key[key]

    def episodes(self, key: str, count: int) -> tuple[Layout, Episodes]:
        """The first episodes under a key, and what they could have drawn from."""
        episodes = self.lists_by_key[key]
        return episodes.layout, widen(episodes.first(count))


@dataclass(frozen=True)
class NoRecords(Records):
    """None: a file of JSON holds rows alone."""

    path: Path

    def scores(self, key: str) -> Scores:
        """Raises."""
        raise self._error()

    def episodes(self, key: str, count: int) -> tuple[Layout, Episodes]:
        """Raises."""
        raise self._error()

    def _error(self) -> FairshotError:
        return FairshotError(f"{self.path} holds no scores of single queries: load the folder that evaluate saved to")
