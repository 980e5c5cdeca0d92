"""A TaskDistribution: which classes and images meet in an episode. Episode i depends on (seed, i) only."""

import inspect
from abc import ABC, abstractmethod
from dataclasses import asdict, dataclass, replace
from functools import wraps
from typing import Any, ClassVar, TypeVar

import numpy as np
from jaxtyping import Int

from fairshot.runtime.arguments import check_fields
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.fingerprints import fingerprint
from fairshot.runtime.seeds import Stream
from fairshot.sources.source import Source
from fairshot.tasks.disjoint import draw_apart, largest_values
from fairshot.tasks.episodes import PAD, Episodes, join
from fairshot.tasks.padded_rows import Counts, Table, dirichlet_shares, packed, shuffled, whole_counts

BLOCK = 1024  # episodes drawn by one random stream: enough to vectorise over, few enough to throw away
VERSION = 2  # raised whenever the same seed would give other episodes
IN_ORDER = ("way", "shot", "query")
WHERE_NAMED = "where named"  # groups of images stay on one side of an episode wherever the source names them

OwnClassTask = TypeVar("OwnClassTask", bound="ClassTask")


@dataclass(frozen=True)
class TaskDistribution(ABC):
    """A distribution over episodes of any source that can serve it."""

    seeded: ClassVar[bool] = True
    """Whether another seed gives other episodes; a published list is the same for all."""
    closed: ClassVar[bool] = False
    """Whether no two episodes share an image, so that they come to an end."""
    refuses: ClassVar[str] = ""
    """Why nothing can be said about other images and classes; empty where episodes draw from whole classes."""

    def __post_init__(self) -> None:
        check_fields(self)

    @property
    @abstractmethod
    def label(self) -> str:
        """What a table's column is called."""

    @property
    def counterpart(self) -> str:
        """Of a task within parents: the label of the same task with any classes together."""
        return ""

    @property
    def family(self) -> str:
        """The label without the number of shots, such as `5-way 15-query`: tasks of a family differ in shots alone."""
        shot = getattr(self, "shot", None)
        return self.label if shot is None else self.label.replace(f"{shot}-shot ", "", 1)

    @property
    def asks(self) -> bool:
        """Whether there are queries; without them only how the support is grouped can be judged."""
        return True

    def resolve(self, source: Source) -> "TaskDistribution":
        """The same task with every choice made that hangs on the source; its label tells them."""
        return self

    def length(self, source: Source) -> int | None:
        """How many episodes of this source there are; None where they never end."""
        return None

    def population(self, source: Source) -> Int[np.ndarray, " class"]:
        """The rows of `source.members` that can be drawn at all: what an interval for other classes is based on."""
        return np.arange(len(source.classes))

    def units(self, source: Source) -> Int[np.ndarray, " image"]:
        """For a task that `refuses` classes, the unit that each image belongs to; an episode is of one unit."""
        return np.zeros(len(source), dtype=np.int64)

    @abstractmethod
    def draw(self, source: Source, stream: Stream, episodes: range) -> Episodes:
        """A whole block of episodes from the block's own stream."""

    def sample(self, source: Source, episodes: range, seed: int) -> Episodes:
        """Some episodes, the same whoever asks and in whatever portions."""
        length = self.length_for(source, episodes)
        parts = []
        for block in range(episodes.start // BLOCK, (episodes.stop - 1) // BLOCK + 1):
            whole = range(block * BLOCK, min((block + 1) * BLOCK, length or (block + 1) * BLOCK))
            drawn = self.draw(source, Stream(seed, "episodes", block), whole)
            parts.append(drawn[max(episodes.start - whole.start, 0) : episodes.stop - whole.start])
        return join(parts)

    def length_for(self, source: Source, episodes: range) -> int | None:
        """The length, if it holds these episodes."""
        if not episodes or episodes.step != 1:
            raise FairshotError(f"{episodes} are no episodes: ask for some, one after the other")
        length = self.length(source)
        if length is not None and episodes.stop > length:
            raise FairshotError(f"{self.label} has {length} episodes, {episodes.stop} were asked for")
        return length

    def key(self, source: Source, seed: int) -> str:
        """Names the endless list of episodes; results with equal keys can be compared episode by episode."""
        settings = asdict(self.resolve(source))
        kind = [type(self).__name__, *self._own_code()]
        return fingerprint(VERSION, *kind, settings, source.origin, seed if self.seeded else None)

    def _own_code(self) -> list[str]:
        """The code of somebody's own task, which may have the name of another one; nothing for those of fairshot."""
        if type(self).__module__.startswith("fairshot."):
            return []
        try:
            return [inspect.getsource(type(self))]
        except (OSError, TypeError):  # typed in by hand
            return [type(self).__qualname__]


def way_first(kind: type[OwnClassTask]) -> type[OwnClassTask]:
    """Lets way, shot and query be given without their names, in this order: `Uniform(5, 1, 15)`."""
    by_name = kind.__init__

    @wraps(by_name)
    def init(self: OwnClassTask, *counts: Any, **settings: Any) -> None:
        if len(counts) > len(IN_ORDER):
            raise FairshotError(f"{kind.__name__} takes {', '.join(IN_ORDER)} in this order: give all else by name")
        named: dict[str, Any] = dict(zip(IN_ORDER, counts, strict=False))
        by_name(self, **named, **settings)

    kind.__init__ = init  # type: ignore[method-assign, assignment]
    return kind


@dataclass(frozen=True)
class ClassTask(TaskDistribution):
    """Episodes that choose some classes and then draw `shot` support and `query` query images of each."""

    shot: int = 1
    query: int = 15
    disjoint: str | None = WHERE_NAMED
    """An image attribute (drawer, group) of which support and query share no value; None lets all images meet."""
    skip_small: bool = False
    """Leave out classes with fewer than shot + query images instead of refusing."""
    dirichlet: float | None = None
    """Shares of the classes among the queries: drawn with this concentration; None and infinity mean equal shares."""
    unknown: int = 0
    """Further classes of which there are queries but no support: an open set."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.disjoint == "none":
            object.__setattr__(self, "disjoint", None)
        if self.dirichlet is not None and not self.dirichlet > 0:
            raise FairshotError(f"dirichlet is {self.dirichlet}: it must be above 0; 2 is usual, inf means equal")
        if self.dirichlet is not None and self.unknown:
            raise FairshotError(
                "queries cannot be unbalanced and of unknown classes at once, known or unknown ones might be missing: "
                "leave out dirichlet or unknown"
            )
        if self.dirichlet is not None and self.disjoint not in (None, WHERE_NAMED):
            raise FairshotError(
                f"queries cannot be unbalanced and share no {self.disjoint} with the support at once: leave out "
                "dirichlet, or let disjoint be none"
            )
        for name, least in (("way", 2), ("shot", 1), ("query", 0), ("unknown", 0)):
            count = getattr(self, name, least)
            if count < least:
                raise FairshotError(f"{name} is {count}: it must be at least {least}")
        if not self.query and (self.dirichlet is not None or self.unknown):
            raise FairshotError("without queries none can be unbalanced or unknown: let query be 1 or more")

    @abstractmethod
    def choose(
        self, source: Source, eligible: Int[np.ndarray, " class"], stream: Stream, episodes: range
    ) -> Int[np.ndarray, "episode way"]:
        """For each episode the classes that meet, as rows of `source.members`; PAD comes last."""

    @property
    def asks(self) -> bool:
        """Unless no query is wanted."""
        return self.query > 0

    def resolve(self: OwnClassTask, source: Source) -> OwnClassTask:
        """Groups are kept apart where the source names them, unless something else was asked for."""
        if self.disjoint != WHERE_NAMED:
            return self
        return replace(self, disjoint="group" if "group" in source.attributes else None)

    @property
    def suffix(self) -> str:
        """The end of every label; what hangs on the source is told once it is resolved."""
        apart = f", {self.disjoint}s apart" if self.disjoint not in (None, WHERE_NAMED) else ""
        large = ", small classes left out" if self.skip_small else ""
        shares = f", Dirichlet({self.dirichlet:g}) queries" if self.dirichlet is not None else ""
        strange = f", {self.unknown} unknown" if self.unknown else ""
        return f"{self.shot}-shot {self.query}-query{strange}{shares}{apart}{large}"

    def draw(self, source: Source, stream: Stream, episodes: range) -> Episodes:
        """Classes, then images; the queries in random order.

        Each has a stream of its own and queries are drawn before the support: with more shots, the same seed gives the
        same classes and queries, and a support that contains the smaller one.
        """
        disjoint = self.resolve(source).disjoint
        rows = self.choose(source, self.eligible(source), stream.child("classes"), episodes)
        images, order = stream.child("images"), stream.child("order")
        labels = np.where(rows == PAD, PAD, np.arange(rows.shape[1]))
        if self.dirichlet is not None:
            counts = self._unbalanced(source, rows, stream.child("shares"))
            support, query, query_labels = _draw_unbalanced(source, rows, self.shot, counts, images)
        else:
            if disjoint is None:
                query, support = _draw_images(source, rows, self.query, self.shot, images)
            else:
                support, query = draw_apart(source, rows, (self.shot, self.query), disjoint, images)
            query, query_labels = query.reshape(len(rows), -1), np.repeat(labels, self.query, axis=1)
        known = rows.shape[1] - self.unknown
        return Episodes(
            support[:, :known].reshape(len(rows), -1),
            np.repeat(labels[:, :known], self.shot, axis=1),
            *shuffled(query, query_labels, order),
            np.where(rows == PAD, PAD, source.members.classes[rows]),
        )

    def _unbalanced(self, source: Source, rows: Int[np.ndarray, "episode way"], stream: Stream) -> Counts:
        """Queries of each class: as many in all as if they were balanced."""
        present = rows != PAD
        room = np.where(present, source.members.counts[rows] - self.shot, 0)
        assert self.dirichlet is not None
        return whole_counts(dirichlet_shares(self.dirichlet, present, stream), present.sum(1) * self.query, room)

    def population(self, source: Source) -> Int[np.ndarray, " class"]:
        """The rows of `source.members` with enough images."""
        return self.eligible(source)

    def eligible(self, source: Source) -> Int[np.ndarray, " class"]:
        """The rows of `source.members` with enough images; small classes raise unless they may be skipped."""
        counts, needed, disjoint = source.members.counts, self.shot + self.query, self.resolve(source).disjoint
        # What the support may take out of play: its own images, or everything that shares a value with them.
        taken = self.shot if disjoint is None else largest_values(source, disjoint, self.shot)
        small = np.flatnonzero(counts < taken + self.query)
        if len(small) and (not self.skip_small or len(small) == len(counts)):
            worst = small[np.argmin(counts[small])]
            apart = f" with {disjoint}s apart" if disjoint else ""
            fewer = "fewer" if disjoint is None else f"too few outside the largest {disjoint}s"
            advice = "" if len(small) == len(counts) else ", or leave such classes out with skip_small"
            name = source.class_names[source.classes[worst]]
            some = (
                f"{_some_of(len(small), len(counts))} of {source.name} {'has' if len(small) == 1 else 'have'} {fewer}"
            )
            raise FairshotError(
                f"{self.shot}-shot {self.query}-query{apart} needs {needed} images per class, and {some} ('{name}' has "
                f"{counts[worst]}): lower shot or query{advice}"
            )
        return np.setdiff1d(np.arange(len(counts)), small)


def _some_of(count: int, whole: int) -> str:
    """`all 3 classes`, `2 of the 3 classes`, `both classes`, `the only class`."""
    if count == whole:
        return {1: "the only class", 2: "both classes"}.get(whole, f"all {whole} classes")
    return f"{count} of the {whole} classes"


def require_queries(task: TaskDistribution, judge: str) -> None:
    """Refuses a task in which nothing is asked."""
    if not task.asks:
        raise FairshotError(f"{judge} needs queries, and {task.label} has none: let query be 1 or more")


def by_parent(source: Source, rows: Int[np.ndarray, " class"]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The classes sorted by parent, where each parent's begin, and how many it has."""
    rows = rows[np.argsort(source.parent_ids[rows], kind="stable")]
    _, starts, counts = np.unique(source.parent_ids[rows], return_index=True, return_counts=True)
    return rows, starts, counts


def _draw_images(
    source: Source, rows: Int[np.ndarray, "episode way"], first: int, then: int, stream: Stream
) -> tuple[Int[np.ndarray, "episode way first"], Int[np.ndarray, "episode way then"]]:
    """Different images of each class, in two portions."""
    members, padding = source.members, rows == PAD
    sizes = np.where(padding, first + then, members.counts[rows])
    places = stream.ordered_sample(sizes.ravel(), first + then).reshape(*rows.shape, first + then)
    places += members.starts[rows][:, :, None]
    images = members.image_ids.take(places, mode="clip")  # beyond a class nothing is asked for
    if padding.any():
        images[padding] = PAD
    return images[:, :, :first], images[:, :, first:]


def _draw_unbalanced(
    source: Source, rows: Int[np.ndarray, "episode way"], shot: int, counts: Counts, stream: Stream
) -> tuple[Int[np.ndarray, "episode way shot"], Table, Table]:
    """Support images, queries in these numbers, and the queries' labels."""
    support, query = _draw_images(source, rows, shot, int(counts.max()), stream)
    return support, *packed(query, np.arange(query.shape[2]) < counts[:, :, None])
