"""A TaskDistribution: which classes and images meet in an episode. Episode i depends on (seed, i) only."""

from abc import ABC, abstractmethod
from dataclasses import asdict, dataclass

import numpy as np
from jaxtyping import Int

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.fingerprint import fingerprint
from fairshot.runtime.seeds import Stream
from fairshot.sources.source import Source
from fairshot.tasks.apart import draw_apart, largest_values
from fairshot.tasks.episodes import PAD, Episodes, join

BLOCK = 1024  # episodes drawn by one random stream: enough to vectorise over, few enough to throw away
VERSION = 1  # raised whenever the same seed would give other episodes


@dataclass(frozen=True)
class TaskDistribution(ABC):
    """A distribution over episodes of any source that can serve it."""

    @property
    @abstractmethod
    def label(self) -> str:
        """What a table's column is called."""

    @property
    def length(self) -> int | None:
        """How many episodes there are; None where they never end."""
        return None

    def population(self, source: Source) -> Int[np.ndarray, " class"]:
        """The rows of `source.members` that can be drawn at all: what an interval for other classes is based on."""
        return np.arange(len(source.classes))

    @abstractmethod
    def draw(self, source: Source, stream: Stream, episodes: range) -> Episodes:
        """A whole block of episodes from the block's own stream."""

    def sample(self, source: Source, episodes: range, seed: int) -> Episodes:
        """Some episodes, the same whoever asks and in whatever portions."""
        if not episodes or episodes.step != 1:
            raise FairshotError(f"{episodes} are no episodes: ask for some, one after the other")
        if self.length is not None and episodes.stop > self.length:
            raise FairshotError(f"{self.label} has {self.length} episodes, {episodes.stop} were asked for")
        parts = []
        for block in range(episodes.start // BLOCK, (episodes.stop - 1) // BLOCK + 1):
            whole = range(block * BLOCK, min((block + 1) * BLOCK, self.length or (block + 1) * BLOCK))
            drawn = self.draw(source, Stream(seed, "episodes", block), whole)
            parts.append(drawn[max(episodes.start - whole.start, 0) : episodes.stop - whole.start])
        return join(parts)

    def key(self, source: Source, seed: int) -> str:
        """Names the endless list of episodes; results with equal keys can be compared episode by episode."""
        drawn = None if self.length else seed  # a fixed list does not depend on the seed
        return fingerprint(VERSION, type(self).__name__, asdict(self), source.origin, drawn)


@dataclass(frozen=True)
class ClassTask(TaskDistribution):
    """Episodes that choose some classes and then draw `shot` support and `query` query images of each."""

    shot: int = 1
    query: int = 15
    disjoint: str | None = None
    """An image attribute (drawer, group) of which support and query share no value."""
    skip_small: bool = False
    """Leave out classes with fewer than shot + query images instead of refusing."""

    def __post_init__(self) -> None:
        for name, least in (("way", 2), ("shot", 1), ("query", 1)):
            count = getattr(self, name, least)
            if count < least:
                raise FairshotError(f"{name} is {count}: it must be at least {least}")

    @abstractmethod
    def choose(
        self, source: Source, eligible: Int[np.ndarray, " class"], stream: Stream, episodes: range
    ) -> Int[np.ndarray, "episode way"]:
        """For each episode the classes that meet, as rows of `source.members`; PAD comes last."""

    @property
    def suffix(self) -> str:
        """The end of every label."""
        apart = f", {self.disjoint}s apart" if self.disjoint else ""
        large = ", small classes left out" if self.skip_small else ""
        return f"{self.shot}-shot {self.query}-query{apart}{large}"

    def draw(self, source: Source, stream: Stream, episodes: range) -> Episodes:
        """Classes, then images; the queries in random order."""
        rows = self.choose(source, self.eligible(source), stream, episodes)
        if self.disjoint is None:
            support, query = _draw_images(source, rows, self.shot, self.query, stream)
        else:
            support, query = draw_apart(source, rows, (self.shot, self.query), self.disjoint, stream)
        labels = np.where(rows == PAD, PAD, np.arange(rows.shape[1]))
        order = stream.permutations((rows != PAD).sum(axis=1) * self.query)
        return Episodes(
            support.reshape(len(rows), -1),
            np.repeat(labels, self.shot, axis=1),
            np.take_along_axis(query.reshape(len(rows), -1), order, axis=1),
            np.take_along_axis(np.repeat(labels, self.query, axis=1), order, axis=1),
            np.where(rows == PAD, PAD, source.members.classes[rows]),
        )

    def population(self, source: Source) -> Int[np.ndarray, " class"]:
        """The rows of `source.members` with enough images."""
        return self.eligible(source)

    def eligible(self, source: Source) -> Int[np.ndarray, " class"]:
        """The rows of `source.members` with enough images; small classes raise unless they may be skipped."""
        counts, needed = source.members.counts, self.shot + self.query
        # What the support may take out of play: its own images, or everything that shares a value with them.
        taken = self.shot if self.disjoint is None else largest_values(source, self.disjoint, self.shot)
        small = np.flatnonzero(counts < taken + self.query)
        if len(small) and (not self.skip_small or len(small) == len(counts)):
            worst = small[np.argmin(counts[small])]
            apart = f" with {self.disjoint}s apart" if self.disjoint else ""
            fewer = "fewer" if self.disjoint is None else f"too few outside the largest {self.disjoint}s"
            advice = "" if len(small) == len(counts) else ", or leave such classes out with --skip-small"
            name = source.class_names[source.classes[worst]]
            raise FairshotError(
                f"{self.shot}-shot {self.query}-query{apart} needs {needed} images a class, and {len(small)} of the "
                f"{len(counts)} classes of {source.name} have {fewer} ('{name}' has "
                f"{counts[worst]}): lower --shot or --query{advice}"
            )
        return np.setdiff1d(np.arange(len(counts)), small)


def by_parent(source: Source, rows: Int[np.ndarray, " class"]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The classes sorted by parent, where each parent's begin, and how many it has."""
    rows = rows[np.argsort(source.parent_ids[rows], kind="stable")]
    _, starts, counts = np.unique(source.parent_ids[rows], return_index=True, return_counts=True)
    return rows, starts, counts


def _draw_images(
    source: Source, rows: Int[np.ndarray, "episode way"], shot: int, query: int, stream: Stream
) -> tuple[Int[np.ndarray, "episode way shot"], Int[np.ndarray, "episode way query"]]:
    members = source.members
    sizes = np.where(rows == PAD, shot + query, members.counts[rows])
    places = stream.ordered_sample(sizes.ravel(), shot + query).reshape(*rows.shape, shot + query)
    places += members.starts[rows][:, :, None]
    places[rows == PAD] = 0
    images = members.image_ids[places]
    images[rows == PAD] = PAD
    return images[:, :, :shot], images[:, :, shot:]
