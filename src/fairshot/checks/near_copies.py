"""Which images are identical, or nearly so: hashes for the first, a search among a few directions for the second.

An image is taken as a vector of length one around its mean grey, so that brightness and contrast do not matter. Vectors
nearer than a threshold are still so after a projection on any directions at right angles: a tree over few directions
names the candidates, and the whole images decide.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float, Int
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

from fairshot.runtime.seeds import Stream
from fairshot.sources.source import Source

NEAR_IMAGES = 0.1  # distance of unit vectors, a correlation of 0.995: a mild compression, not a second drawing
NEAR_VECTORS = 1e-3  # of the typical size: what half precision loses, not what a second image gives
DIRECTIONS = 16
SAMPLE = 256  # images that the directions are taken from
NEIGHBOURS = 8  # candidates for each image; longer rows of twins hang together all the same
CHUNK = 2048


@dataclass(frozen=True)
class NearCopies:
    """Images of some sources back to back, with group numbers: equal numbers, identical images (or nearly)."""

    identical: Int[np.ndarray, " image"]
    near: Int[np.ndarray, " image"]


@dataclass(frozen=True)
class ImagePool:
    """The images of several sources of one shape, read in chunks."""

    sources: Sequence[Source]

    @cached_property
    def starts(self) -> Int[np.ndarray, " source"]:
        return np.cumsum([0, *(len(source) for source in self.sources)])

    def read(self, rows: Int[np.ndarray, " row"]) -> np.ndarray:
        """Rows of any of the sources."""
        owner = np.searchsorted(self.starts, rows, side="right") - 1
        stored = np.empty((len(rows), *self.sources[0].store.shape[1:]), self.sources[0].store.dtype)
        for number in np.unique(owner):
            chosen = owner == number
            stored[chosen] = self.sources[number].read(rows[chosen] - self.starts[number])
        return stored

    @cached_property
    def sample(self) -> Int[np.ndarray, " row"]:
        return np.sort(Stream(0, "alike").permutations(self.starts[-1:])[0][:SAMPLE])

    @cached_property
    def centre(self) -> tuple[Float[np.ndarray, " feature"], float]:
        """The middle and the typical size of feature vectors."""
        stored = self.read(self.sample).astype(np.float64)
        middle = stored.mean(axis=0)
        return middle, float(np.median(np.linalg.norm(stored - middle, axis=1))) or 1.0

    def vectors(self, rows: Int[np.ndarray, " row"]) -> Float[np.ndarray, "row pixel"]:
        """The vectors that distances are taken between: images around their mean grey, features around their middle."""
        stored = self.read(rows).reshape(len(rows), -1)
        if not self.sources[0].has_images:
            middle, size = self.centre
            return ((stored - middle) / size).astype(np.float32)
        values = stored.astype(np.float32)
        values -= values.mean(axis=1, keepdims=True)
        lengths = np.linalg.norm(values, axis=1, keepdims=True)
        return values / np.where(lengths > 0, lengths, 1)


def find_near_copies(sources: Sequence[Source]) -> NearCopies:
    """Groups of identical and of nearly identical images over all the sources, which hold images of one shape."""
    pool = ImagePool(sources)
    digests = [
        hashlib.blake2b(image.tobytes(), digest_size=16).digest()
        for rows in _chunks(np.arange(pool.starts[-1]))
        for image in pool.read(rows)
    ]
    _, first, identical = np.unique(np.array(digests), return_index=True, return_inverse=True)
    pairs = _near_pairs(pool, first)
    links = coo_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(len(first), len(first)))
    return NearCopies(identical, connected_components(links, directed=False)[1][identical].astype(np.int64))


def _near_pairs(pool: ImagePool, rows: Int[np.ndarray, " different"]) -> Int[np.ndarray, "pair 2"]:
    """Pairs of places among `rows` whose images are nearly identical."""
    near = NEAR_IMAGES if pool.sources[0].has_images else NEAR_VECTORS
    directions = _directions(pool.vectors(pool.sample))
    seen = np.concatenate([pool.vectors(chunk) @ directions for chunk in _chunks(rows)])
    others = cKDTree(seen).query(seen, k=NEIGHBOURS + 1, distance_upper_bound=near * 1.001)[1]
    pairs = np.stack([np.repeat(np.arange(len(rows)), NEIGHBOURS + 1), others.ravel()], axis=1)
    pairs = pairs[pairs[:, 1] < len(rows)]
    pairs = np.unique(np.sort(pairs[pairs[:, 0] != pairs[:, 1]], axis=1), axis=0)
    close = [
        np.linalg.norm(pool.vectors(rows[some[:, 0]]) - pool.vectors(rows[some[:, 1]]), axis=1) < near
        for some in _chunks(pairs)
    ]
    return pairs[np.concatenate(close)] if close else pairs


def _directions(sample: Float[np.ndarray, "image pixel"]) -> Float[np.ndarray, "pixel direction"]:
    """The directions in which a sample differs most, at right angles, each of length one."""
    sample = (sample - sample.mean(axis=0)).astype(np.float64)
    sizes, weights = np.linalg.eigh(sample @ sample.T)
    kept = np.flatnonzero(sizes > 1e-6 * max(float(sizes[-1]), 1e-12))[-DIRECTIONS:]
    if not len(kept):
        return np.zeros((sample.shape[1], 1), dtype=np.float32)
    return (sample.T @ weights[:, kept] / np.sqrt(sizes[kept])).astype(np.float32)


def _chunks(rows: np.ndarray) -> Iterator[np.ndarray]:
    for start in range(0, len(rows), CHUNK):
        yield rows[start : start + CHUNK]
