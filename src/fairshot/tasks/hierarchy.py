"""Meta-Dataset's episodes of ILSVRC: the classes below one node of WordNet (Triantafillou et al. 2018, 2020).

The release draws a node that spans 5 to 392 classes and takes at most 50 of them; the workshop appendix takes all
classes of a node that spans at most 50, which leaves classes that no such node spans unreachable.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
from jaxtyping import Int

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.seeds import Stream
from fairshot.sources.source import Source
from fairshot.splits.wordnet import CARNIVORE, DEVICE, ENTITY, check_names, load_graph, spans, sub_graph
from fairshot.tasks.episodes import PAD
from fairshot.tasks.variable import LEAST_WAY, MOST_WAY, Description, Sizes, VariableTask, Variant

# The smallest number with which the release reaches every class; the appendix has no lower end, but nodes with one
# child have given way to it, so that the smallest spans two classes.
SPANS = {"released": (LEAST_WAY, 392), "appendix": (2, MOST_WAY)}


@dataclass(frozen=True)
class Nodes:
    """The classes below each node that can be drawn, back to back, in the order of the nodes' WordNet ids."""

    wnids: tuple[str, ...]
    rows: Int[np.ndarray, " below"]
    starts: Int[np.ndarray, " node"]
    counts: Int[np.ndarray, " node"]


@dataclass(frozen=True)
class Hierarchy(VariableTask):
    """A node of WordNet drawn uniformly, then the classes below it; shots and queries as in `meta_dataset`."""

    @property
    def label(self) -> str:
        """Such as `hierarchy released`."""
        return f"hierarchy {self.variant}{self.suffix}"

    def population(self, source: Source) -> Int[np.ndarray, " class"]:
        """The classes below a node that can be drawn."""
        return np.unique(eligible_nodes(_names(source), self.variant).rows)

    def unreachable(self, names: Iterable[str]) -> tuple[str, ...]:
        """Those of the classes that are in no episode, by WordNet id."""
        names = tuple(names)
        check_names(names, "the list")
        reached = {names[row] for row in eligible_nodes(names, self.variant).rows}
        return tuple(name for name in names if name not in reached)

    def plan(self, source: Source, stream: Stream, episodes: int) -> Description:
        """Classes and numbers of images."""
        return self.describe(source.members.counts, _names(source), stream, episodes)

    def describe(
        self, counts: Int[np.ndarray, " class"], names: tuple[str, ...], stream: Stream, episodes: int
    ) -> Description:
        """Classes and numbers of images, for classes of these sizes with these WordNet ids."""
        return self.describe_sizes(self._classes(names, stream, episodes), counts, stream)

    def _classes(self, names: tuple[str, ...], stream: Stream, episodes: int) -> Sizes:
        nodes = eligible_nodes(names, self.variant)
        if not len(nodes.counts):
            low, high = SPANS[self.variant]
            raise FairshotError(
                f"{self.label} needs a node of WordNet with {low} to {high} of the classes below it, and no node has "
                f"among these {len(names)}: take a part with more classes"
            )
        node = stream.integers(len(nodes.counts), episodes)
        spanned = nodes.counts[node]
        drawn = stream.ordered_sample(spanned, min(self.most_way, int(nodes.counts.max())))
        inside = np.arange(drawn.shape[1]) < spanned[:, None]
        return np.where(inside, nodes.rows[np.where(inside, nodes.starts[node][:, None] + drawn, 0)], PAD)


def split_root(names: Iterable[str]) -> str:
    """The root of the split that holds all these classes: carnivore, device, or else entity."""
    classes = set(names)
    return next((root for root, leaves in _other_splits().items() if classes <= leaves), ENTITY)


@cache
def _other_splits() -> dict[str, frozenset[str]]:
    below = spans(load_graph().children)
    return {root: below[root] for root in (CARNIVORE, DEVICE)}


@lru_cache(maxsize=32)
def eligible_nodes(names: tuple[str, ...], variant: Variant) -> Nodes:
    """The nodes that can be drawn, in the graph of just these classes below the root of their split."""
    row = {name: number for number, name in enumerate(names)}
    below = spans(sub_graph(load_graph().children, names, split_root(names)))
    low, high = SPANS[variant]
    eligible = {
        wnid: sorted(row[leaf] for leaf in leaves) for wnid, leaves in below.items() if low <= len(leaves) <= high
    }
    counts = np.array([len(rows) for rows in eligible.values()], dtype=np.int64)
    rows = np.array([number for rows in eligible.values() for number in rows], dtype=np.int64)
    return Nodes(tuple(eligible), rows, np.cumsum(counts) - counts, counts)


def _names(source: Source) -> tuple[str, ...]:
    names = tuple(source.class_names[number] for number in source.classes)
    check_names(names, source.name)
    return names
