"""Episodes that share no image, until the images run out: the list is short, and its spread that of fresh images.

Lafargue et al., "Oops, I Sampled it Again: Reinterpreting Confidence Intervals in Few-Shot Learning", TMLR 2024 (arXiv
2409.02850).
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from jaxtyping import Int

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.seeds import Stream
from fairshot.sources.source import Source
from fairshot.tasks.episodes import Episodes
from fairshot.tasks.padded_rows import shuffled
from fairshot.tasks.task import TaskDistribution


@dataclass(frozen=True)
class Closed(TaskDistribution):
    """`way` classes at a time, each image at most once in the whole list; small classes are passed over.

    Every class is cut at random into portions of shot + query images. An episode takes a portion of each of `way`
    classes, drawn with chances as their portions left, and never so that fewer episodes could be made in all: their
    number is the largest there can be, whatever the seed. Large classes are drawn more often than small ones, so the
    mean is biased against that of `uniform` when classes are unbalanced.
    """

    closed: ClassVar = True

    way: int = 5
    shot: int = 1
    query: int = 15

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, least in (("way", 2), ("shot", 1), ("query", 1)):
            if getattr(self, name) < least:
                raise FairshotError(f"{name} is {getattr(self, name)}: it must be at least {least}")

    @property
    def label(self) -> str:
        """Such as `closed 5-way 1-shot 15-query`."""
        return f"closed {self.way}-way {self.shot}-shot {self.query}-query"

    def length(self, source: Source) -> int:
        """The largest number of episodes that share no image."""
        portions = source.members.counts // (self.shot + self.query)
        enough = int((portions > 0).sum())
        if enough < self.way:
            raise FairshotError(
                f"{self.label} needs {self.way} classes with {self.shot + self.query} images, and {enough} of the "
                f"{len(portions)} classes of {source.name} have them: lower way, shot or query"
            )
        return most_episodes(portions, self.way)

    def sample(self, source: Source, episodes: range, seed: int) -> Episodes:
        """Some episodes of the one list; blocks have no streams of their own, because each image is spent once."""
        self.length_for(source, episodes)
        return self.draw(source, Stream(seed, "episodes"), range(episodes.stop))[episodes.start :]

    def draw(self, source: Source, stream: Stream, episodes: range) -> Episodes:
        """The whole list, whose first episodes these are; the queries in random order."""
        members, size = source.members, self.shot + self.query
        rows, turns = plan(members.counts // size, self.way, stream.child("classes"))
        order = stream.child("images").permutations(members.counts)
        places = order[rows[:, :, None], turns[:, :, None] * size + np.arange(size)]
        images = members.image_ids[members.starts[rows][:, :, None] + places]
        query, support = (side.reshape(len(rows), -1) for side in np.split(images, [self.query], axis=2))
        labels = np.tile(np.arange(self.way), (len(rows), 1))
        return Episodes(
            support,
            np.repeat(labels, self.shot, axis=1),
            *shuffled(query, np.repeat(labels, self.query, axis=1), stream.child("order")),
            members.classes[rows],
        )[: len(episodes)]


def most_episodes(portions: Int[np.ndarray, " class"], way: int) -> int:
    """The largest number of episodes of `way` different classes: a class serves each episode once at most."""
    low, high = 0, int(portions.sum()) // way
    while low < high:
        middle = (low + high + 1) // 2
        fits = np.minimum(portions, middle).sum() >= way * middle
        low, high = (middle, high) if fits else (low, middle - 1)
    return low


def plan(
    portions: Int[np.ndarray, " class"], way: int, stream: Stream
) -> tuple[Int[np.ndarray, "episode way"], Int[np.ndarray, "episode way"]]:
    """For each episode its classes, and for each of them which of its portions."""
    left, episodes = portions.astype(np.int64), most_episodes(portions, way)
    rows, turns = (np.zeros((episodes, way), dtype=np.int64) for _ in range(2))
    for number in range(episodes):
        later = episodes - number - 1
        # What the later episodes can spare: a class with more portions than they are loses nothing when drawn now.
        spare = int(np.minimum(left, later).sum()) - way * later
        rich = left > later
        # The smallest of waiting times at these rates: classes one by one, with chances as their portions left.
        wait = np.where(left > 0, -np.log1p(-stream.uniform(len(left))) / np.maximum(left, 1), np.inf)
        order = np.argsort(wait, kind="stable")
        must = order[rich[order]][: max(way - spare, 0)]
        free = order[:way][~np.isin(order[:way], must)]
        rows[number] = np.concatenate([must, free])[:way]
        turns[number] = (portions - left)[rows[number]]
        left[rows[number]] -= 1
    place = stream.permutations(np.full(episodes, way))  # else a label would tell which classes are large
    return np.take_along_axis(rows, place, axis=1), np.take_along_axis(turns, place, axis=1)
