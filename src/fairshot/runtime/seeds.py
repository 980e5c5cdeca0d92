"""The only place where randomness begins.

Streams are named by integers and words, and only the raw 64-bit output of PCG64 is used: NumPy guarantees that stream
for ever, while it reserves the right to change what `Generator.integers` or `Generator.permutation` draw from it.
"""

import hashlib
import json

import numpy as np
from jaxtyping import Float, Int, Int64, UInt64

LONGEST_CHASE = 128  # larger samples are drawn by sorting random keys, which is then cheaper
SLAB = 1 << 16  # random keys sorted in one go: they fit the cache, and the draws do not depend on it
GOLDEN = 0x9E3779B97F4A7C15  # the step of SplitMix64: 2**64 divided by the golden ratio, made odd
MIXING = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB))  # shifts and factors of SplitMix64


class Stream:
    """Uniform numbers and ordered samples that are the same on every machine and under every NumPy."""

    def __init__(self, *path: int | str) -> None:
        # A hash of the whole path: SeedSequence itself takes (7,) and (7, 0) for the same.
        self._path = [p if isinstance(p, str) else int(p) for p in path]
        digest = hashlib.blake2b(json.dumps(self._path).encode(), digest_size=16).digest()
        self._bits = np.random.PCG64(np.random.SeedSequence(int.from_bytes(digest, "little")))

    def child(self, name: str) -> "Stream":
        """A stream of its own below this one, whatever was drawn from this one before."""
        return Stream(*self._path, name)

    def uniform(self, *shape: int) -> Float[np.ndarray, "..."]:
        """Numbers in [0, 1) with 53 random bits."""
        raw = self._bits.random_raw(int(np.prod(shape)))
        return ((raw >> np.uint64(11)) * 2.0**-53).reshape(shape)

    def integers(self, below: int | Int[np.ndarray, "*shape"], *shape: int) -> Int[np.ndarray, "..."]:
        """Integers in [0, below); the bias of the rounding is under below / 2**53."""
        return (self.uniform(*shape) * below).astype(np.int64)

    def ordered_sample(self, sizes: Int[np.ndarray, " row"], count: int) -> Int[np.ndarray, "row count"]:
        """For each row, `count` different integers below its size, in random order.

        A Fisher-Yates shuffle stopped after `count` steps, for all rows at once and without the array it shuffles: step
        i swaps slot i with slots[i], and what that slot holds is found by following the earlier swaps backwards. A
        longer sample from an equal stream begins with the shorter one, up to the length where the method changes.
        """
        if count > LONGEST_CHASE:
            return self.permutations(sizes, first=count)
        steps = np.arange(count)[:, None]
        slots = ((self.uniform(count, len(sizes)) * (sizes - steps)).astype(np.int64) + steps).astype(np.int32)
        drawn = slots.copy()
        for step in range(count - 2, -1, -1):
            later = drawn[step + 1 :]
            np.copyto(later, step, where=later == slots[step])
        return drawn.T.astype(np.int64)

    def permutations(self, sizes: Int[np.ndarray, " row"], *, first: int | None = None) -> Int[np.ndarray, "row width"]:
        """For each row, the integers below its size in random order; what exceeds the size comes last.

        With `first`, only so many of each row: the same ones, found sooner.
        """
        width = int(sizes.max(initial=0))
        drawn = np.empty((len(sizes), width if first is None else min(first, width)), dtype=np.int64)
        step = max(1, SLAB // max(width, 1))
        for start in range(0, len(sizes), step):
            drawn[start : start + step] = self._permuted(sizes[start : start + step], width, drawn.shape[1])
        return drawn

    def _permuted(self, sizes: Int[np.ndarray, " row"], width: int, first: int) -> Int[np.ndarray, "row first"]:
        keys = self._bits.random_raw(len(sizes) * width).reshape(len(sizes), width)
        bits = np.uint64(max(width - 1, 1).bit_length())
        # The place rides in the low bits of its random key: one plain sort instead of a slower argsort.
        keys >>= bits + np.uint64(1)
        keys <<= bits
        keys |= np.arange(width, dtype=np.uint64)
        if int(sizes.min()) < width:
            keys |= (np.arange(width) >= sizes[:, None]).astype(np.uint64) << np.uint64(63)
        if 4 * first < width:
            keys.partition(first - 1, axis=1)
            keys = keys[:, :first].copy()
        keys.sort(axis=1)
        return (keys[:, :first] & np.uint64((1 << int(bits)) - 1)).astype(np.int64)


class Streams:
    """A stream for every row, from seeds of their own; what a row draws depends on its own seed and on nothing else.

    SplitMix64 (Steele, Lea and Flood 2014), whose numbers can all be computed at once: a `Stream` for each of thousands
    of rows would take longer than what they are needed for.
    """

    def __init__(self, seeds: Int[np.ndarray, " row"], *path: int | str) -> None:
        digest = hashlib.blake2b(json.dumps(path).encode(), digest_size=8).digest()
        self._keys = _mix(seeds.astype(np.int64).view(np.uint64) ^ np.uint64(int.from_bytes(digest, "little")))

    def words(self, count: int) -> UInt64[np.ndarray, "row count"]:
        """64 random bits each; more of them begin with the same ones."""
        steps = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(GOLDEN)
        return _mix(self._keys[:, None] + steps)

    def uniform(self, count: int) -> Float[np.ndarray, "row count"]:
        """Numbers in [0, 1) with 53 random bits."""
        return (self.words(count) >> np.uint64(11)) * 2.0**-53

    def integers(self, below: int) -> Int[np.ndarray, " row"]:
        """An integer in [0, below) for each row; the bias of the rounding is under below / 2**53."""
        return (self.uniform(1)[:, 0] * below).astype(np.int64)


def hash_sets(items: Int[np.ndarray, "row item"], *, nothing: int) -> Int64[np.ndarray, " row"]:
    """A number for the items of each row, whatever their order; `nothing` is no item."""
    words = _mix(items.astype(np.int64).view(np.uint64) * np.uint64(GOLDEN) + np.uint64(GOLDEN))
    return _mix(np.where(items == nothing, np.uint64(0), words).sum(axis=1, dtype=np.uint64)).view(np.int64)


def _mix(words: UInt64[np.ndarray, "*shape"]) -> UInt64[np.ndarray, "*shape"]:
    """Spreads every bit over all bits, and takes no two words to the same one."""
    for shift, factor in MIXING:
        words = (words ^ (words >> np.uint64(shift))) * np.uint64(factor)
    return words ^ (words >> np.uint64(31))
