"""Support and query kept apart: no drawer, film or other group of images appears on both sides of an episode."""

import numpy as np
from jaxtyping import Bool, Int, UInt64

from fairshot.runtime.errors import FairshotError, unknown
from fairshot.runtime.seeds import Stream
from fairshot.sources.source import Source
from fairshot.tasks.episodes import PAD

SLAB = 2_000_000  # candidate images looked at in one go, to bound memory

Sides = tuple[Int[np.ndarray, "episode way shot"], Int[np.ndarray, "episode way query"]]
Chosen = Bool[np.ndarray, "episode way drawn"]
Drawn = tuple[Int[np.ndarray, "episode way drawn"], Chosen, Chosen]
"""Images of each class, which of them are support, and which are queries."""


def largest_values(source: Source, attribute: str, count: int) -> Int[np.ndarray, " class"]:
    """For each class, how many of its images have one of its `count` commonest values."""
    values = _values(source, attribute)
    rows = np.repeat(np.arange(len(source.members.counts)), source.members.counts)
    pairs, sizes = np.unique(rows * (int(values.max()) + 1) + values, return_counts=True)
    owner = pairs // (int(values.max()) + 1)
    order = np.lexsort((-sizes, owner))
    place = np.arange(len(order)) - np.searchsorted(owner, owner[order])
    return np.bincount(owner[order], np.where(place < count, sizes[order], 0), len(source.members.counts)).astype(
        np.int64
    )


def _values(source: Source, attribute: str) -> Int[np.ndarray, " image"]:
    """The attribute of each image, in the order of `source.members`."""
    if attribute not in source.attributes:
        raise unknown("attribute", attribute, source.attributes)
    return source.attributes[attribute][source.rows(source.members.image_ids)]


def draw_apart(
    source: Source, rows: Int[np.ndarray, "episode way"], counts: tuple[int, int], attribute: str, stream: Stream
) -> Sides:
    """Support and query images of each class such that no value of the attribute is on both sides of an episode.

    Each episode ranks all values at random. Support images come from the values ranked first, one image of each before
    a second of any, so that all classes of an episode turn to the same drawers; queries come from the values that no
    support image of the episode has.
    """
    values = _values(source, attribute)
    step = max(1, SLAB // (rows.shape[1] * int(source.members.counts.max())))
    slabs = [_draw_slab(source, rows[i : i + step], counts, values, stream) for i in range(0, len(rows), step)]
    support, query = (np.concatenate(side) for side in zip(*slabs, strict=True))
    missing = np.argwhere((query == PAD).any(axis=2) & (rows != PAD))
    if len(missing):
        name = source.class_names[source.classes[rows[tuple(missing[0])]]]
        raise FairshotError(
            f"class '{name}' has not enough images for {counts[0]} support and {counts[1]} query images an "
            f"episode that share no {attribute}: lower shot or query"
        )
    return support, query


def _draw_slab(
    source: Source,
    rows: Int[np.ndarray, "episode way"],
    counts: tuple[int, int],
    values: Int[np.ndarray, " image"],
    stream: Stream,
) -> Sides:
    members, (shot, query) = source.members, counts
    width = int(members.counts.max())
    inside = (np.arange(width) < members.counts[rows][:, :, None]) & (rows != PAD)[:, :, None]
    places = np.where(inside, members.starts[rows][:, :, None] + np.arange(width), 0)
    value, image = values[places], np.where(inside, members.image_ids[places], PAD)

    salt = (stream.uniform(len(rows), 1, 1) * 2.0**53).astype(np.uint64)
    rank = np.where(inside, _mix(value.astype(np.uint64) + (salt << np.uint64(11))), ~np.uint64(0))
    order = np.lexsort((stream.uniform(*rank.shape), rank), axis=-1)
    turn = np.empty_like(order)  # 0 for the first image of a value, 1 for the second ...
    np.put_along_axis(turn, order, _places_in_runs(np.take_along_axis(rank, order, axis=-1)), axis=-1)
    chosen = np.lexsort((rank, turn, ~inside), axis=-1)[:, :, :shot]
    support = np.take_along_axis(image, chosen, axis=-1)

    scale = int(values.max()) + 1
    named = np.arange(len(rows))[:, None, None] * scale + value
    used = np.take_along_axis(named, chosen, axis=-1)[support != PAD]
    free = inside & ~np.isin(named, used)
    drawn = np.argsort(np.where(free, stream.uniform(*rank.shape), 2.0), axis=-1)[:, :, :query]
    queries = np.where(np.take_along_axis(free, drawn, axis=-1), np.take_along_axis(image, drawn, axis=-1), PAD)
    return support, np.pad(queries, ((0, 0), (0, 0), (0, query - queries.shape[2])), constant_values=PAD)


def draw_halves(
    source: Source,
    rows: Int[np.ndarray, "episode way"],
    counts: tuple[Int[np.ndarray, "episode way"], Int[np.ndarray, " episode"]],
    attribute: str,
    stream: Stream,
) -> Drawn:
    """Other numbers of support images in each class; half of a class's groups, drawn anew in each episode, have its
    queries, the others its support. Where a half has too few images, all of them are taken.
    """
    values, (shots, queries) = _values(source, attribute), counts
    _refuse_shared_groups(source, values, attribute)
    most = int(shots.max()), int(queries.max())
    step = max(1, SLAB // (rows.shape[1] * int(source.members.counts.max())))
    slabs = [_halve_slab(source, rows[i : i + step], most, values, stream) for i in range(0, len(rows), step)]
    support, query = (np.concatenate(side) for side in zip(*slabs, strict=True))
    shown = (np.arange(most[0]) < shots[:, :, None]) & (support != PAD)
    asked = (np.arange(most[1]) < queries[:, None, None]) & (query != PAD)
    nobody = np.zeros_like(asked), np.zeros_like(shown)
    return (
        np.concatenate([support, query], axis=2),
        np.concatenate([shown, nobody[0]], axis=2),
        np.concatenate([nobody[1], asked], axis=2),
    )


def _halve_slab(
    source: Source,
    rows: Int[np.ndarray, "episode way"],
    most: tuple[int, int],
    values: Int[np.ndarray, " image"],
    stream: Stream,
) -> Sides:
    """So many images of each side at most, in random order, PAD at the end."""
    members = source.members
    width = int(members.counts.max())
    inside = (np.arange(width) < members.counts[rows][:, :, None]) & (rows != PAD)[:, :, None]
    places = np.where(inside, members.starts[rows][:, :, None] + np.arange(width), 0)
    salt = (stream.uniform(len(rows), 1, 1) * 2.0**53).astype(np.uint64)
    rank = np.where(inside, _mix(values[places].astype(np.uint64) + (salt << np.uint64(11))), ~np.uint64(0))
    order = np.argsort(rank, axis=-1)
    sorted_ = np.take_along_axis(rank, order, axis=-1)
    begins = np.zeros(rank.shape, dtype=np.int64)
    begins[..., 1:] = sorted_[..., 1:] != sorted_[..., :-1]
    place = np.empty_like(begins)  # of an image's group among those of its class
    np.put_along_axis(place, order, np.cumsum(begins, axis=-1), axis=-1)
    groups = np.where(inside, place, -1).max(axis=-1, keepdims=True) + 1
    asked, keys = place < np.maximum(groups // 2, 1), stream.uniform(*rank.shape)
    image = np.where(inside, members.image_ids[places], PAD)
    sides = []
    for side, count in ((~asked, most[0]), (asked, most[1])):
        free = inside & side
        drawn = np.argsort(np.where(free, keys, 2.0), axis=-1)[:, :, :count]
        taken = np.where(np.take_along_axis(free, drawn, axis=-1), np.take_along_axis(image, drawn, axis=-1), PAD)
        sides.append(np.pad(taken, ((0, 0), (0, 0), (0, count - taken.shape[2])), constant_values=PAD))
    return sides[0], sides[1]


def _refuse_shared_groups(source: Source, values: Int[np.ndarray, " image"], attribute: str) -> None:
    """A group must be of one class, and a class must have two groups."""
    members = source.members
    rows = np.repeat(np.arange(len(members.counts)), members.counts)
    pairs = np.unique(np.stack([values, rows]), axis=1)
    shared = np.flatnonzero(np.diff(pairs[0]) == 0)
    if len(shared):
        raise FairshotError(
            f"{attribute} {pairs[0][shared[0]]} of {source.name} has images of several classes, which episodes of "
            "variable shots cannot keep apart: let disjoint be none"
        )
    lonely = np.flatnonzero(np.bincount(pairs[1], minlength=len(members.counts)) < 2)
    if len(lonely):
        name = source.class_names[source.classes[lonely[0]]]
        raise FairshotError(f"class '{name}' of {source.name} has one {attribute}: two are needed to keep some apart")


def _mix(words: UInt64[np.ndarray, "*shape"]) -> UInt64[np.ndarray, "*shape"]:
    """A fixed scramble of 64-bit words (the finaliser of splitmix64), one to one."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def _places_in_runs(sorted_words: UInt64[np.ndarray, "*shape width"]) -> Int[np.ndarray, "*shape width"]:
    """For each entry, how many equal ones stand directly before it."""
    place = np.broadcast_to(np.arange(sorted_words.shape[-1]), sorted_words.shape)
    starts = np.ones(sorted_words.shape, dtype=bool)
    starts[..., 1:] = sorted_words[..., 1:] != sorted_words[..., :-1]
    return place - np.maximum.accumulate(np.where(starts, place, 0), axis=-1)
