"""Copies with a change: mirrored, turned, inverted, shifted, slightly cropped or recompressed images.

Likeness names a few candidates for each image, and pixels decide: a copy, laid on its original, differs from it far
less than other images do that are near to either. Simple drawings are near to many, so that two of them are no copies
for being alike; what stands out among its own neighbours is one.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from fairshot.checks.alignment import agreement, change_names
from fairshot.checks.near_copies import CHUNK, ImagePool
from fairshot.sources.images.likeness import Greys, Likeness, as_greys, find_nearest, likeness
from fairshot.sources.source import Source

NEARER = 0.6  # of the usual distance between neighbours: half of all copies with a small crop are nearer
AGREE = 0.95  # the least correlation of a copy that lies on its original: strong compression takes most of the rest
CERTAIN, LIKELY = 0.015, 0.1  # of what neighbours differ by: how often different images come so near is in the docs
FEW, FEWEST = 0.02, 12  # of the images, and images: a few different drawings come as near as likely copies do
NEIGHBOURS = slice(4, 7)  # heaps by nearness whose images stand for neighbours; those before them may hold copies

Pairs = Int[np.ndarray, "_ 2"]
Rows = Int[np.ndarray, "_"]


@dataclass(frozen=True)
class Copies:
    """Images of some sources back to back, with group numbers: equal numbers, copies with or without a change."""

    marks: Int[np.ndarray, " image"]
    changes: tuple[str, ...] = ()
    """What was done to the copies, the commonest first; empty if none has a change."""


@dataclass(frozen=True)
class Candidates:
    """Pairs of images that may be copies, with how surely they are."""

    pairs: Pairs
    share: Float[np.ndarray, " pair"]
    """How much they differ, measured by what their neighbours do."""
    changes: tuple[str, ...]


def find_copies(sources: Sequence[Source], near: Int[np.ndarray, " image"], *, across: bool = False) -> Copies:
    """Groups of nearly identical images, joined where one is a copy of the other with a change.

    With `across`, only copies between the first source and the others are looked for.
    """
    if not sources[0].has_images:
        return Copies(near)
    pool = ImagePool(sources)
    count, first = len(sources[0]), different_rows(near)
    rest = first
    if across:
        rest = different_rows(near[count:]) + count
        first = first[(first < count) & ~np.isin(near[first], near[rest])]
    candidates = find_pairs(pool, first, rest)
    likely = np.unique(candidates.pairs[candidates.share < LIKELY])
    counted = candidates.share < (LIKELY if (likely < count).sum() > max(FEW * count, FEWEST) else CERTAIN)
    if not counted.any():
        return Copies(near)
    ends = near[candidates.pairs[counted]]
    size = int(near.max()) + 1
    links = coo_array((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(size, size))
    names = Counter(name for name, kept in zip(candidates.changes, counted, strict=True) if kept)
    marks = connected_components(links, directed=False)[1][near]
    _, first, joined = np.unique(marks, return_index=True, return_inverse=True)
    return Copies(first[joined], tuple(name for name, _ in names.most_common()))


def different_rows(marks: Rows) -> Rows:
    """The first image of every group, in order."""
    return np.sort(np.unique(marks, return_index=True)[1])


def find_pairs(pool: ImagePool, first: Rows, rest: Rows) -> Candidates:
    """Pairs of a first image and one of the rest that are copies, surely or likely."""
    rows = np.union1d(first, rest)
    likenesses = np.concatenate([likeness(_greys(pool, some)) for some in _portions(rows)]) if len(rows) else None
    nothing = Candidates(np.empty((0, 2), dtype=np.int64), np.empty(0), ())
    if likenesses is None:
        return nothing
    place, targets = np.searchsorted(rows, first), np.searchsorted(rows, rest)
    itself = np.searchsorted(rest, first) if np.array_equal(first, rest) else None
    nearest = find_nearest(likenesses[place], likenesses[targets], own=itself)
    if nearest is None:
        return nothing
    which, heap = np.nonzero(nearest.ratios < NEARER)
    pairs = np.unique(np.sort(np.stack([place[which], targets[nearest.places[which, heap]]], axis=1), axis=1), axis=0)
    correlations, turns = _agreement(pool, rows[pairs[:, 0]], rows[pairs[:, 1]])
    kept = np.abs(correlations) > AGREE
    pairs, correlations, turns = pairs[kept], correlations[kept], turns[kept]
    usual = _usual_difference(pool, rows, likenesses, pairs)
    share = (1 - np.abs(correlations)) / np.maximum(usual, 1e-6)
    return Candidates(rows[pairs], share, change_names(correlations, turns))


def _usual_difference(pool: ImagePool, rows: Rows, likenesses: Likeness, pairs: Pairs) -> Float[np.ndarray, " pair"]:
    """By how much neighbours of either image of a pair differ from it, the nearest of some."""
    members, ends = np.unique(pairs, return_inverse=True)
    nearest = find_nearest(likenesses[members], likenesses, own=members)
    if nearest is None or not len(members):
        return np.zeros(len(pairs))
    heaps = np.argsort(nearest.ratios, axis=1)[:, NEIGHBOURS]
    neighbours = np.take_along_axis(nearest.places, heaps, axis=1)
    agreements = [np.abs(_agreement(pool, rows[members], rows[column])[0]) for column in neighbours.T]
    return (1 - np.max(agreements, axis=0))[ends.reshape(pairs.shape)].min(axis=1)


def _agreement(
    pool: ImagePool, first: Rows, second: Rows
) -> tuple[Float[np.ndarray, " pair"], Int[np.ndarray, " pair"]]:
    portions = zip(_portions(first), _portions(second), strict=True)
    parts = [agreement(_greys(pool, a), _greys(pool, b)) for a, b in portions]
    correlations, turns = zip(*parts, strict=True) if parts else ((), ())
    return np.concatenate([np.empty(0), *correlations]), np.concatenate([np.empty(0, dtype=np.int64), *turns])


def _greys(pool: ImagePool, rows: Rows) -> Greys:
    return as_greys(pool.read(rows))


def _portions(rows: Rows) -> list[Rows]:
    return [rows[start : start + CHUNK] for start in range(0, len(rows), CHUNK)]
