"""Episodes of variable way and shot: first a description (which classes, how many images of each), then images."""

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

import numpy as np
from jaxtyping import Float, Int

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.seeds import Stream
from fairshot.sources.source import Source
from fairshot.tasks.disjoint import Drawn, draw_halves
from fairshot.tasks.episodes import PAD, Episodes
from fairshot.tasks.padded_rows import packed, shuffled
from fairshot.tasks.task import WHERE_NAMED, TaskDistribution

LEAST_WAY, MOST_WAY = 5, 50
MOST_QUERIES = 10  # of each class
MOST_SUPPORT, MOST_SHOTS = 500, 100  # in all; counted for one class when the size of the support set is drawn

Sizes = Int[np.ndarray, "episode way"]
Variant = Literal["released", "appendix"]
OwnVariableTask = TypeVar("OwnVariableTask", bound="VariableTask")


@dataclass(frozen=True)
class Description:
    """Episodes before any image is drawn: which classes, and how many images of each."""

    rows: Sizes
    """Numbers of classes, PAD at the end."""
    shots: Sizes
    queries: Int[np.ndarray, " episode"]


@dataclass(frozen=True)
class VariableTask(TaskDistribution):
    """Shares of classes at random around their sizes; the released limits unless others are given."""

    variant: Variant = "released"
    most_way: int = MOST_WAY
    most_queries: int = MOST_QUERIES
    """Of each class."""
    most_support: int = MOST_SUPPORT
    """Of all classes together."""
    disjoint: str | None = None
    """An image attribute (group) of which support and query share no value; None lets all images meet."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.disjoint == "none":
            object.__setattr__(self, "disjoint", None)
        for name, least in (("most_way", LEAST_WAY), ("most_queries", 1), ("most_support", LEAST_WAY)):
            if getattr(self, name) < least:
                raise FairshotError(f"{name} is {getattr(self, name)}: it must be at least {least}")

    @abstractmethod
    def plan(self, source: Source, stream: Stream, episodes: int) -> Description:
        """What the episodes of a source consist of."""

    def resolve(self: OwnVariableTask, source: Source) -> OwnVariableTask:
        """Groups are kept apart where the source names them, unless something else was asked for."""
        if self.disjoint != WHERE_NAMED:
            return self
        return replace(self, disjoint="group" if "group" in source.attributes else None)

    @property
    def suffix(self) -> str:
        """The end of every label: limits other than the released ones, and what is kept apart."""
        limits = {
            f"{self.most_way}-way": self.most_way != MOST_WAY,
            f"{self.most_support} support": self.most_support != MOST_SUPPORT,
            f"{self.most_queries} queries a class": self.most_queries != MOST_QUERIES,
        }
        words = ", ".join(word for word, is_other in limits.items() if is_other)
        apart = f", {self.disjoint}s apart" if self.disjoint not in (None, WHERE_NAMED) else ""
        return f"{f', at most {words}' if words else ''}{apart}"

    def draw(self, source: Source, stream: Stream, episodes: range) -> Episodes:
        """Descriptions, then images; the queries in random order."""
        resolved, members = self.resolve(source), source.members
        if members.counts.min() < 2:
            name = source.class_names[source.classes[members.counts.argmin()]]
            raise FairshotError(f"class '{name}' of {source.name} has one image: {self.label} needs two of each class")
        plan = resolved.plan(source, stream, len(episodes))
        images, shown, asked = resolved.draw_images(source, plan, stream)
        support, support_labels = packed(images, shown)
        query, query_labels = shuffled(*packed(images, asked), stream)
        class_ids = np.where(plan.rows != PAD, members.classes[plan.rows], PAD)
        return Episodes(support, support_labels, query, query_labels, class_ids)

    def draw_images(self, source: Source, plan: Description, stream: Stream) -> Drawn:
        """Images of each class, and which of them are support and queries."""
        if self.disjoint is None:
            return _draw_images(source, plan, stream)
        return draw_halves(source, plan.rows, (plan.shots, plan.queries), self.disjoint, stream)

    def describe_sizes(self, rows: Sizes, counts: Int[np.ndarray, " class"], stream: Stream) -> Description:
        """How many images of each chosen class, for classes of these sizes."""
        limits = Limits(self.most_queries, self.most_support)
        return describe(rows, counts, self.variant, stream, limits)


@dataclass(frozen=True)
class Limits:
    """Queries of a class and support images of all, at most."""

    queries: int = MOST_QUERIES
    support: int = MOST_SUPPORT


RELEASED = Limits()


def _draw_images(source: Source, plan: Description, stream: Stream) -> Drawn:
    """Images of each class in random order; the first are support, the next queries."""
    members, present = source.members, plan.rows != PAD
    wanted = np.where(present, plan.shots + plan.queries[:, None], 0)
    sizes = np.where(present, members.counts[plan.rows], int(wanted.max()))
    places = stream.ordered_sample(sizes.ravel(), int(wanted.max())).reshape(*plan.rows.shape, -1)
    order = np.arange(places.shape[2])
    shown = order < plan.shots[:, :, None] * present[:, :, None]
    asked = (order < wanted[:, :, None]) & ~shown
    images = members.image_ids[np.where(shown | asked, members.starts[plan.rows][:, :, None] + places, 0)]
    return images, shown, asked


def describe(
    rows: Sizes, counts: Int[np.ndarray, " class"], variant: Variant, stream: Stream, limits: Limits = RELEASED
) -> Description:
    """How many images of each chosen class, for classes of these sizes."""
    sizes = np.where(rows == PAD, np.iinfo(np.int64).max, counts[rows])
    queries = np.minimum(limits.queries, sizes.min(axis=1) // 2)
    sizes = np.where(rows == PAD, 0, sizes)
    share, spread = stream.uniform(len(rows)), stream.uniform(*rows.shape)
    alpha = np.log(0.5) + spread * np.log(4)
    return Description(rows, shots_of(sizes, queries, share, alpha, variant, most=limits.support), queries)


def shots_of(
    sizes: Sizes,
    queries: Int[np.ndarray, " episode"],
    share: Float[np.ndarray, " episode"],
    alpha: Float[np.ndarray, "episode way"],
    variant: Variant,
    *,
    most: int = MOST_SUPPORT,
) -> Sizes:
    """Support images of each class; sizes are 0 where an episode has no further class."""
    present = sizes > 0
    way, left = present.sum(axis=1), np.where(present, sizes - queries[:, None], 0)
    room = share[:, None] * np.minimum(MOST_SHOTS, left)
    released = variant == "released"
    each = np.where(present, np.floor(room + 1), 0) if released else room
    total = np.minimum(most, each.sum(axis=1))
    weight = sizes * np.exp(alpha) * present
    weight = weight / weight.sum(axis=1, keepdims=True)
    if released:
        shots = np.floor(weight * (total - way)[:, None]) + 1
    else:
        shots = np.maximum(np.floor(weight * total[:, None] + 1e-9), 1)  # the text does not say how to round
    return np.where(present, np.minimum(shots, left), 0).astype(np.int64)
