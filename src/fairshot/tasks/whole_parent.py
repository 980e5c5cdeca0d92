"""All classes of one parent together: a whole alphabet is one episode."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Int

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.seeds import Stream
from fairshot.sources.source import Source
from fairshot.tasks.episodes import PAD
from fairshot.tasks.task import ClassTask, by_parent


@dataclass(frozen=True)
class WholeParent(ClassTask):
    """Every class of one parent; the parents take turns, so that each counts the same."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.unknown:
            raise FairshotError("whole_parent shows all classes of a parent: none are left to be unknown")

    @property
    def label(self) -> str:
        """Such as `whole-parent 1-shot 15-query`."""
        return f"whole-parent {self.suffix}"

    def choose(
        self, source: Source, eligible: Int[np.ndarray, " class"], stream: Stream, episodes: range
    ) -> Int[np.ndarray, "episode way"]:
        """Classes of each episode, in random order."""
        rows, starts, counts = by_parent(source, eligible)
        enough = np.flatnonzero(counts >= 2)  # one class alone is no task
        if not len(enough):
            raise FairshotError(
                f"no parent in {source.name} has two classes with enough images: there is nothing to tell apart"
            )
        parent = enough[np.arange(episodes.start, episodes.stop) % len(enough)]
        order = stream.permutations(counts[parent])
        inside = np.arange(order.shape[1]) < counts[parent][:, None]
        return np.where(inside, rows[np.where(inside, starts[parent][:, None] + order, 0)], PAD)
