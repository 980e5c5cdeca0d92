"""Concepts, ranked by how differently they are drawn: which are the same in all hands, and which are not?

The paper shows them under both critics, and samples beside people's drawings (Boutin et al. 2022, section 4.1).
"""

from dataclasses import dataclass, field

import numpy as np
from jaxtyping import Bool, Float, Int, UInt8

from fairshot.runtime.seeds import Stream
from fairshot.scoring.neighbour_map import neighbour_map, stretch

ENDS, BETWEEN = 10, 30  # concepts shown at either end, and of all others
DRAWINGS = 20  # of each, the exemplar among them
MAPPED = 20  # concepts on the map of neighbours
SHEET = 30  # concepts on a sheet

Values = Float[np.ndarray, " class"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Hand:
    """Drawings of some classes by one hand, dark on light, and the exemplar of each class."""

    name: str
    class_names: tuple[str, ...]
    drawings: UInt8[np.ndarray, "drawing height width"]
    labels: Int[np.ndarray, " drawing"]
    exemplars: UInt8[np.ndarray, "class height width"]
    among: bool
    """Whether the exemplars are among the drawings, as they are among people's."""

    @property
    def is_exemplar(self) -> Bool[np.ndarray, " drawing"]:
        """Which drawings are the exemplar of their class, pixel by pixel."""
        return (self.drawings == self.exemplars[self.labels]).all(axis=(1, 2))

    def rows(self, c: int) -> Int[np.ndarray, " drawing"]:
        """The drawings of a class, the exemplar first if it is one of them."""
        rows = np.flatnonzero(self.labels == c)
        return rows[np.argsort(~self.is_exemplar[rows], kind="stable")] if self.among else rows


@dataclass(frozen=True, eq=False)
class Concept:
    """One class as it was drawn."""

    name: str
    rank: int
    """From 1, the least diverse."""
    diversity: float
    drawings: UInt8[np.ndarray, "drawing height width"]
    """The exemplar stands first."""


@dataclass(frozen=True, eq=False)
class NeighbourMap:
    """Drawings of some classes on a plane where neighbours in the critic's features are neighbours."""

    names: tuple[str, ...]
    places: Float[np.ndarray, "drawing 2"]
    labels: Int[np.ndarray, " drawing"]
    """Into the names."""
    exemplar: Bool[np.ndarray, " drawing"]
    drawings: UInt8[np.ndarray, "drawing height width"]


@dataclass(frozen=True, eq=False)
class Exemplars:
    """One drawing of every class: what a generator is shown, with the names of the classes."""

    class_names: list[str]
    images: UInt8[np.ndarray, "class channel height width"]


@dataclass(frozen=True, eq=False)
class Gallery:
    """The drawings of all sets, to be looked at."""

    concepts: dict[str, dict[str, list[Concept]]]
    """The concepts of each set, as ranked by each critic."""
    neighbours: NeighbourMap
    """Where people's drawings lie."""
    rival_neighbours: NeighbourMap | None = None
    """The same in the features of the prototypical critic."""
    sheets: dict[str, list[Concept]] = field(default_factory=dict)
    """Some concepts of each set that were drawn at random, the same for all sets."""


def spread(count: int, wanted: int) -> Int[np.ndarray, " chosen"]:
    """Places that lie evenly over so many, all of them if there are no more."""
    return np.unique(np.linspace(0, max(count - 1, 0), min(count, wanted)).round().astype(np.int64))


def shown_ranks(classes: int, ends: int = ENDS, between: int = BETWEEN) -> Int[np.ndarray, " shown"]:
    """Which ranks are shown, from 0: those at both ends, and some evenly over the others."""
    if classes <= 2 * ends:
        return np.arange(classes)
    middle = ends + spread(classes - 2 * ends, between)
    return np.concatenate([np.arange(ends), middle, np.arange(classes - ends, classes)])


def rank_concepts(hand: Hand, diversity: Values, *, ends: int = ENDS, between: int = BETWEEN) -> list[Concept]:
    """The concepts to be shown, the least diverse first; equal ones in the order of classes."""
    order = np.argsort(diversity, kind="stable")
    return [
        _concept(hand, diversity, int(order[rank]), rank) for rank in shown_ranks(len(order), ends, between).tolist()
    ]


def random_concepts(hand: Hand, diversity: Values, *, count: int = SHEET, seed: int = 0) -> list[Concept]:
    """Concepts drawn at random, the same for every hand, by their rank."""
    number = min(count, len(diversity))
    chosen = set(Stream(seed, "sheet").ordered_sample(np.array([len(diversity)]), number)[0].tolist())
    order = np.argsort(diversity, kind="stable").tolist()
    return [_concept(hand, diversity, c, rank) for rank, c in enumerate(order) if c in chosen]


def _concept(hand: Hand, diversity: Values, c: int, rank: int) -> Concept:
    drawings = hand.drawings[hand.rows(c)]
    if not hand.among:
        drawings = np.concatenate([hand.exemplars[c : c + 1], drawings])
    return Concept(hand.class_names[c], rank + 1, float(diversity[c]), drawings[:DRAWINGS])


def map_neighbours(
    hand: Hand,
    features: Float[np.ndarray, "drawing feature"],
    diversity: Values,
    *,
    classes: int = MAPPED,
    seed: int = 0,
) -> NeighbourMap:
    """Classes evenly over the ranks of diversity, laid out among the drawings of all classes by their features."""
    order = np.argsort(diversity, kind="stable")
    chosen = order[spread(len(order), classes)].tolist()
    rows_by_class = [hand.rows(c)[:DRAWINGS] for c in chosen]
    rows = np.concatenate(rows_by_class)
    labels = np.repeat(np.arange(len(chosen)), [len(rows_of_class) for rows_of_class in rows_by_class])
    names = tuple(hand.class_names[c] for c in chosen)
    places = stretch(neighbour_map(features, seed)[rows])
    return NeighbourMap(names, places, labels, hand.is_exemplar[rows], hand.drawings[rows])
