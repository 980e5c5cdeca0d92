"""Meta-Dataset's episodes of variable way and shot (Triantafillou et al. 2018, 2020).

The workshop appendix and the released code differ in rounding and in where Omniglot's classes come from; both are here
by name. With `bilevel`, a parent is drawn first and the classes within it, as the released code does for Omniglot.
"""

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Int

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.seeds import Stream
from fairshot.sources.source import Source
from fairshot.sources.union import home
from fairshot.tasks.episodes import PAD
from fairshot.tasks.variable import LEAST_WAY, Description, Sizes, VariableTask

BILEVEL = ("omniglot",)  # sources whose parents come first in the release


@dataclass(frozen=True)
class MetaDataset(VariableTask):
    """Way uniform in 5..50, support at most 500, shares of classes at random around their sizes, 10 queries a class."""

    bilevel: bool | None = None
    """Whether all classes of an episode are of one parent; None: as the variant does it, which is for Omniglot alone
    and in the release.
    """

    @property
    def label(self) -> str:
        """Such as `meta-dataset released, within-parent`."""
        return f"meta-dataset {self.variant}{', within-parent' if self.bilevel else ''}{self.suffix}"

    def resolve(self, source: Source) -> "MetaDataset":
        """With or without parents, as is usual for the source."""
        resolved = super().resolve(source)
        usual = self.variant == "released" and home(source) in BILEVEL
        return resolved if self.bilevel is not None else replace(resolved, bilevel=usual)

    def population(self, source: Source) -> Int[np.ndarray, " class"]:
        """All classes; with `bilevel`, those of parents that have enough of them."""
        wide = np.bincount(source.parent_ids)[source.parent_ids] >= LEAST_WAY
        return np.flatnonzero(wide) if self.resolve(source).bilevel else super().population(source)

    def plan(self, source: Source, stream: Stream, episodes: int) -> Description:
        """Classes and numbers of images."""
        return self.describe(source.members.counts, source.parent_ids, stream, episodes)

    def describe(
        self, counts: Int[np.ndarray, " class"], parents: Int[np.ndarray, " class"], stream: Stream, episodes: int
    ) -> Description:
        """Classes and numbers of images, for classes of these sizes with these parents."""
        rows = self._classes(parents if self.bilevel else np.zeros_like(parents), stream, episodes)
        return self.describe_sizes(rows, counts, stream)

    def _classes(self, parents: Int[np.ndarray, " class"], stream: Stream, episodes: int) -> Sizes:
        order = np.argsort(parents, kind="stable")
        _, starts, counts = np.unique(parents[order], return_index=True, return_counts=True)
        wide = np.flatnonzero(counts >= LEAST_WAY)
        if not len(wide):
            raise FairshotError(f"{self.label} needs {LEAST_WAY} classes, the largest choice has {counts.max()}")
        home = wide[stream.integers(len(wide), episodes)]
        most = np.minimum(self.most_way, counts[home])
        way = LEAST_WAY + stream.integers(most - LEAST_WAY + 1, episodes)
        drawn = stream.permutations(counts[home], first=self.most_way)
        chosen = order[np.minimum(starts[home][:, None] + drawn, len(order) - 1)]
        return np.where(np.arange(drawn.shape[1]) < way[:, None], chosen, PAD)
