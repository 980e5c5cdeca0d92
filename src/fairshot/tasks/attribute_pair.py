"""Both of two attributes, or not: suede with a high heel against all else (Zappos-ID's tasks).

Setlur, Li and Smith, "Two sides of meta-learning evaluation: in vs. out of distribution", NeurIPS 2021, with shoes of
UT-Zappos50K.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from jaxtyping import Bool, Int

from fairshot.runtime.errors import FairshotError, unknown
from fairshot.runtime.seeds import Stream
from fairshot.sources.source import Source
from fairshot.tasks.episodes import Episodes
from fairshot.tasks.padded_rows import shuffled
from fairshot.tasks.task import TaskDistribution

MOST_VALUES = 50  # attributes with more of them name individuals (drawers, films), not properties
TIE = 1e-8  # eigenvalues and their vectors' entries that differ by less are equal


@dataclass(frozen=True)
class Traits:
    """What an image may have or not; traits of one category exclude each other, so they are never paired."""

    names: tuple[str, ...]
    categories: tuple[str, ...]
    has: Bool[np.ndarray, "trait image"]


@dataclass(frozen=True)
class AttributePair(TaskDistribution):
    """Two attributes of different categories, drawn uniformly over all pairs with enough images on both sides.

    Label 1 are images that have both, label 0 any others. Attributes of images and of classes count alike. One with
    values 0 and 1 is a trait, whose category stands before the dot of its name: `material.suede`. Of any other each
    value is a trait, `strokes.3`, of the category `strokes`; more than 50 values name individuals and are left out. The
    classes of an episode are not the source's: `class_ids` are twice the number of the pair in `pairs`, plus the label.

    For a `side` the graph of all pairs with `least` images, whatever shot and query are, is bisected by `bisect_graph`.
    `in` is the side with more pairs inside; pairs across are on no side. Sides are those of the images that are drawn
    from, so both kinds of task should be drawn from the same part.
    """

    refuses: ClassVar = "pairs share attributes and images"

    shot: int = 5
    query: int = 10
    least: int = 20
    """Images that a pair must have on each side."""
    only: tuple[str, ...] = ()
    """Traits or whole categories to keep to, so that other tasks can be made of others; on the command line a+b."""
    side: Literal["all", "in", "out"] = "all"
    """Pairs within one of two sets of traits only, to learn from one (`in`) and be tested on the other (`out`)."""

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("shot", "query", "least"):
            if getattr(self, name) < 1:
                raise FairshotError(f"{name} is {getattr(self, name)}: it must be at least 1")

    @property
    def label(self) -> str:
        """Such as `attribute-pair 5-shot 10-query`."""
        only = f" of {'+'.join(self.only)}" if self.only else ""
        least = f", pairs of at least {self.least}" if self.least != 20 else ""
        side = f", side {self.side}" if self.side != "all" else ""
        return f"attribute-pair {self.shot}-shot {self.query}-query{only}{least}{side}"

    def pairs(self, source: Source) -> tuple[tuple[str, str], ...]:
        """The names of the pairs that can be drawn, in the order of their numbers."""
        traits = self._traits(source)
        return tuple((traits.names[a], traits.names[b]) for a, b in self._pairs(traits, source.name))

    def draw(self, source: Source, stream: Stream, episodes: range) -> Episodes:
        """Pairs, then images, queries before the support; the queries in random order."""
        traits = self._traits(source)
        pairs = self._pairs(traits, source.name)
        numbers = stream.child("pairs").integers(len(pairs), len(episodes))
        both = {n: traits.has[pairs[n]].all(axis=0) for n in np.unique(numbers).tolist()}
        sides = {n: (np.flatnonzero(~mask), np.flatnonzero(mask)) for n, mask in both.items()}
        sizes = np.array([[len(side) for side in sides[n]] for n in numbers.tolist()])
        places = stream.child("images").ordered_sample(sizes.ravel(), self.query + self.shot)
        rows = [
            side[place] for place, side in zip(places, (s for n in numbers.tolist() for s in sides[n]), strict=True)
        ]
        images = source.image_ids[np.stack(rows)].reshape(len(episodes), 2, -1)
        query, support = (part.reshape(len(episodes), -1) for part in np.split(images, [self.query], axis=2))
        labels = np.tile([0, 1], (len(episodes), 1))
        return Episodes(
            support,
            np.repeat(labels, self.shot, axis=1),
            *shuffled(query, np.repeat(labels, self.query, axis=1), stream.child("order")),
            2 * numbers[:, None] + labels,
        )

    def _traits(self, source: Source) -> Traits:
        """All traits of the source's images, or those asked for."""
        spread = {name: values[source.class_ids] for name, values in source.class_attributes.items()}
        found = [trait for name, values in (spread | dict(source.attributes)).items() for trait in _of(name, values)]
        known = {word for name, category, _ in found for word in (name, category)}
        for word in self.only:
            if word not in known:
                raise unknown(f"attribute of {source.name}", word, known)
        kept = [trait for trait in found if not self.only or {trait[0], trait[1]} & set(self.only)]
        offered = sorted({category for _, category, _ in kept})
        if len(offered) < 2:
            raise FairshotError(
                f"{self.label} pairs attributes of different categories, and {source.name} offers "
                f"{', '.join(offered) or 'none'}: at least two categories are needed"
            )
        names, categories, has = zip(*kept, strict=True)
        return Traits(names, categories, np.stack(has))

    def _pairs(self, traits: Traits, source: str) -> Int[np.ndarray, "pair 2"]:
        """The traits of each pair that can be drawn."""
        needed, images = max(self.least, self.shot + self.query), traits.has.shape[1]
        has = traits.has.astype(np.float64)
        both = np.rint(has @ has.T).astype(np.int64)
        category = np.array(traits.categories)
        allowed = np.triu(category[:, None] != category, k=1)
        if self.side != "all":
            allowed &= self._within(allowed & (both >= self.least) & (images - both >= self.least), source)
        pairs = np.argwhere(allowed & (both >= needed) & (images - both >= needed))
        if not len(pairs):
            raise FairshotError(
                f"{self.label} needs pairs with {needed} images that have both attributes and {needed} others, and "
                f"none of the {allowed.sum()} pairs of {source} is such (at best {both[allowed].max()} of {images} "
                "images have both): lower shot, query or least"
            )
        return pairs

    def _within(self, edges: Bool[np.ndarray, "trait trait"], source: str) -> Bool[np.ndarray, "trait trait"]:
        """Whether both traits of a pair are on the side that is asked for."""
        graph = edges | edges.T
        kept = np.flatnonzero(graph.any(axis=0))
        if not len(kept):
            raise FairshotError(
                f"{self.label} needs pairs with {self.least} images that have both attributes and as many others, and "
                f"{source} has none: lower least"
            )
        halves = [kept[half] for half in bisect_graph(graph[np.ix_(kept, kept)])]
        inside = [int(edges[np.ix_(half, half)].sum()) for half in halves]
        if not min(inside):
            raise FairshotError(
                f"{self.label}: the {len(kept)} attributes of {source} fall into {len(halves[0])} and {len(halves[1])} "
                f"with {inside[0]} and {inside[1]} pairs inside: name two lists of your own with only="
            )
        asked = np.isin(np.arange(len(graph)), halves[0 if self.side == "in" else 1])
        return asked[:, None] & asked


def bisect_graph(graph: Bool[np.ndarray, "node node"]) -> tuple[Int[np.ndarray, " one"], Int[np.ndarray, " other"]]:
    """Spectral bisection of a graph without isolated nodes: the half with more edges inside, then the other.

    Nodes are parted by the sign of the Fiedler vector, the second eigenvector of the normalised Laplacian. Where it is
    not unique (components, symmetries) it is the projection of a fixed vector on all that share its eigenvalue, so
    that the halves are the same on every machine.
    """
    degrees = graph.sum(axis=0).astype(np.float64)
    scale = 1 / np.sqrt(degrees)
    values, vectors = np.linalg.eigh(np.eye(len(graph)) - scale[:, None] * graph * scale)
    # The first eigenvector is known: taken out, what is left of its eigenvalue are further components.
    first = np.sqrt(degrees / degrees.sum())
    shared = vectors[:, values < values[1] + TIE]
    fixed = np.sqrt(np.arange(1, len(graph) + 1))
    fiedler = shared @ (shared.T @ fixed)
    fiedler -= first * (first @ fiedler)
    below = fiedler < -TIE * np.abs(fiedler).max()
    halves = [np.flatnonzero(below), np.flatnonzero(~below)]
    halves.sort(key=lambda half: (-graph[np.ix_(half, half)].sum(), -len(half), half[:1].tolist()))
    return halves[0], halves[1]


def _of(name: str, values: Int[np.ndarray, " image"]) -> list[tuple[str, str, Bool[np.ndarray, " image"]]]:
    """Name, category and owners of each trait that an attribute stands for."""
    there = np.unique(values)
    if np.isin(there, (0, 1)).all():
        return [(name, name.partition(".")[0], values == 1)]
    if len(there) > MOST_VALUES:
        return []
    return [(f"{name}.{value}", name, values == value) for value in there.tolist()]
