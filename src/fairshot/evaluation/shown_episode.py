"""A ShownEpisode: one episode to be looked at, with its images, what was asked, and what was answered."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int

from fairshot.sources.source import Source
from fairshot.tasks.episodes import PAD, Episodes


@dataclass(frozen=True, eq=False, kw_only=True)
class ShownEpisode:
    """One episode of a part that has images."""

    word: str
    """Which one it is: the easiest, the median or the hardest."""
    part: Source
    episodes: Episodes
    """This one alone."""
    correct: Bool[np.ndarray, " query"]
    chosen: Int[np.ndarray, " query"] | None = None
    """The label that each query was given, where that is known."""

    @property
    def places(self) -> list[int]:
        """The labels of the classes that it has."""
        return [place for place, class_id in enumerate(self.episodes.class_ids[0]) if class_id != PAD]

    def name(self, place: int) -> str:
        """The name of a class by its label."""
        return self.part.class_names[self.episodes.class_ids[0][place]]

    def support(self, place: int) -> Int[np.ndarray, " image"]:
        """The support images of a class."""
        return self.episodes.support_ids[0][self.episodes.support_labels[0] == place]

    def queries(self, place: int) -> Int[np.ndarray, " query"]:
        """Which queries are of a class."""
        return np.flatnonzero(self.episodes.query_labels[0] == place)

    def is_right(self, query: int) -> bool:
        """Whether a query was answered right."""
        return query < len(self.correct) and bool(self.correct[query])


def ends(values: Float[np.ndarray, " episode"]) -> Mapping[str, int]:
    """The easiest, the median and the hardest episode by their scores."""
    order = np.argsort(values, kind="stable")
    return {"easiest": int(order[-1]), "median": int(order[len(order) // 2]), "hardest": int(order[0])}
