"""Any classes together: the usual few-shot task, called unstructured where classes have parents."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Int

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.seeds import Stream
from fairshot.sources.source import Source
from fairshot.tables.words import count_of
from fairshot.tasks.task import ClassTask, way_first


@way_first
@dataclass(frozen=True)
class Uniform(ClassTask):
    """`way` classes drawn uniformly from all classes, without replacement."""

    way: int = 5

    @property
    def label(self) -> str:
        """Such as `5-way 1-shot 15-query`."""
        return f"{self.way}-way {self.suffix}"

    def choose(
        self, source: Source, eligible: Int[np.ndarray, " class"], stream: Stream, episodes: range
    ) -> Int[np.ndarray, "episode way"]:
        """Classes of each episode."""
        together = self.way + self.unknown
        if together > len(eligible):
            asked = f"way is {self.way}" + (f" with {self.unknown} unknown classes" if self.unknown else "")
            lower = "lower way or unknown" if self.unknown else "lower way"
            raise FairshotError(f"{asked}, and {source.name} has {count_of(len(eligible), 'class')}: {lower}")
        return eligible[stream.ordered_sample(np.full(len(episodes), len(eligible)), together)]
