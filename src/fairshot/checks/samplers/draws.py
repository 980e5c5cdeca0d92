"""Draws: what a sampler drew, episode by episode, and the classes of the items that it drew from."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Int

Ids = Int[np.ndarray, " _"]
"""Items, or their labels, one after the other."""


@dataclass(frozen=True, eq=False)
class Draw:
    """One episode: items to learn from, items to be asked about, and their labels where the sampler gives some."""

    support: Ids
    query: Ids
    support_labels: Ids | None = None
    query_labels: Ids | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Draws:
    """Many episodes of one sampler."""

    episodes: Sequence[Draw]
    classes: Int[np.ndarray, " data"]
    """The class of every item that there is."""
    groups: Int[np.ndarray, " data"] | None = None
    flat: bool = False
    """Whether episodes came as one list of items, whose order says which are the support."""
    repeats: bool = False
    """Whether a second pass draws the very same episodes as the first."""
    way: int | None = None
    """How many classes were asked for, where that is known."""

    @cached_property
    def class_sets(self) -> list[frozenset[int]]:
        """The classes of each episode."""
        return [frozenset(self.classes[each.support].tolist()) for each in self.episodes]

    @cached_property
    def item_sets(self) -> list[frozenset[int]]:
        """The items of each episode."""
        return [frozenset((*each.support.tolist(), *each.query.tolist())) for each in self.episodes]

    @cached_property
    def class_counts(self) -> Int[np.ndarray, " class"]:
        """In how many episodes each class was drawn."""
        drawn = [one for own in self.class_sets for one in own]
        return np.bincount(np.array(drawn, dtype=np.int64), minlength=int(self.classes.max()) + 1)

    def role_counts(self, role: str) -> Int[np.ndarray, " data"]:
        """How often each item was drawn as `support` or as `query`."""
        drawn = np.concatenate([getattr(each, role) for each in self.episodes])
        return np.bincount(drawn, minlength=len(self.classes))
