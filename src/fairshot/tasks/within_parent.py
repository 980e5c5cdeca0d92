"""Classes of one parent together: the characters of one alphabet, the animals of one family. The harder, truer task."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Int

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.seeds import Stream
from fairshot.sources.source import Source
from fairshot.tasks.task import ClassTask, by_parent, way_first


@way_first
@dataclass(frozen=True)
class WithinParent(ClassTask):
    """A parent drawn uniformly (whatever its size), then `way` of its classes without replacement."""

    way: int = 5

    @property
    def label(self) -> str:
        """Such as `within-parent 5-way 1-shot 15-query`."""
        return f"within-parent {self.counterpart}"

    @property
    def counterpart(self) -> str:
        """The label of the same task with any classes, such as `5-way 1-shot 15-query`."""
        return f"{self.way}-way {self.suffix}"

    def population(self, source: Source) -> Int[np.ndarray, " class"]:
        """Eligible classes of parents that have enough of them."""
        rows = self.eligible(source)
        return rows[np.bincount(source.parent_ids[rows])[source.parent_ids[rows]] >= self.way + self.unknown]

    def choose(
        self, source: Source, eligible: Int[np.ndarray, " class"], stream: Stream, episodes: range
    ) -> Int[np.ndarray, "episode way"]:
        """Classes of each episode; parents with fewer than `way` eligible classes are passed over."""
        if len(source.parent_names) < 2:
            raise FairshotError(f"{source.name} has a single parent: within it is the same as the task uniform")
        rows, starts, counts = by_parent(source, eligible)
        together = self.way + self.unknown
        wide = np.flatnonzero(counts >= together)
        if not len(wide):
            asked = f"way is {self.way}" + (f" with {self.unknown} unknown classes" if self.unknown else "")
            raise FairshotError(
                f"{asked}, and no parent in {source.name} has that many classes (the largest has "
                f"{counts.max(initial=0)}): lower way"
            )
        parent = wide[stream.integers(len(wide), len(episodes))]
        return rows[starts[parent][:, None] + stream.ordered_sample(counts[parent], together)]
