"""The only place where randomness begins.

Streams are named by integers and words, and only the raw 64-bit output of PCG64 is used: NumPy guarantees that stream
for ever, while it reserves the right to change what `Generator.integers` or `Generator.permutation` draw from it.
"""

import hashlib
import json

import numpy as np
from jaxtyping import Float, Int, Int64, Integer, UInt64

LONGEST_CHASE = 128  # larger samples are drawn by sorting random keys, which is then cheaper
CHASED = 1 << 12  # rows whose samples are found in one go: they fit the cache
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
        slots = self._slots(sizes, count)
        drawn = np.empty_like(slots)
        for start in range(0, len(sizes), CHASED):
            some = slice(start, start + CHASED)
            drawn[:, some] = _chased(slots[:, some])
        return np.ascontiguousarray(drawn.T).astype(np.int64)

    def _slots(self, sizes: Int[np.ndarray, " row"], count: int) -> Integer[np.ndarray, "count row"]:
        """For every step of each row's shuffle the slot to swap with, in the smallest integers that can hold it."""
        low, high = (int(sizes.min()), int(sizes.max())) if len(sizes) else (count, count)
        kind = np.uint8 if low >= count and high <= 256 else np.int16 if high < 1 << 15 else np.int32
        slots: np.ndarray = np.empty((count, len(sizes)), dtype=kind)
        share = np.empty(len(sizes))
        for step in range(count):
            raw = self._bits.random_raw(len(sizes)) >> np.uint64(11)
            # Scaling by a power of two is exact: the same numbers as `uniform` gives, multiplied.
            room = low - step if low == high else sizes - step
            np.multiply(raw.view(np.int64), room * 2.0**-53, out=share)
            slots[step] = share
            slots[step] += kind(step)
        return slots

    def permutations(self, sizes: Int[np.ndarray, " row"], *, first: int | None = None) -> Int[np.ndarray, "row width"]:
        """For each row, the integers below its size in random order; what exceeds the size comes last.

        With `first`, only so many of each row: the same ones, found sooner.
        """
        width = int(sizes.max(initial=0))
        drawn = np.empty((len(sizes), width if first is None else min(first, width)), dtype=np.int64)
        step = max(1, SLAB // max(width, 1))
        for start in range(0, len(sizes), step):
            self._permute(sizes[start : start + step], width, drawn[start : start + step])
        return drawn

    def _permute(self, sizes: Int[np.ndarray, " row"], width: int, drawn: Int[np.ndarray, "row first"]) -> None:
        keys = self._bits.random_raw(len(sizes) * width).reshape(len(sizes), width)
        bits, first = max(width - 1, 1).bit_length(), drawn.shape[1]
        # The place rides in the low bits of its random key: one plain sort instead of a slower argsort.
        uneven = int(sizes.min()) < width
        if uneven:
            keys >>= np.uint64(1)
        keys &= np.uint64((1 << 64) - (1 << bits if uneven else 2 << bits))
        keys |= np.arange(width, dtype=np.uint64)
        if uneven:  # the highest bit puts what exceeds the size last
            keys |= (np.arange(width) >= sizes[:, None]).astype(np.uint64) << np.uint64(63)
        if 4 * first < width:
            keys.partition(first - 1, axis=1)
            keys = keys[:, :first].copy()
        keys.sort(axis=1)
        np.bitwise_and(keys[:, :first], np.uint64((1 << bits) - 1), out=drawn.view(np.uint64))


def _chased(slots: Integer[np.ndarray, "count row"]) -> Integer[np.ndarray, "count row"]:
    """What is in these slots when they are swapped: a later step finds there what an earlier one has put."""
    drawn, move = slots.copy(), np.empty_like(slots)
    for step in range(len(slots) - 2, -1, -1):
        later, moved = drawn[step + 1 :], move[step + 1 :]
        # Arithmetic on small integers, several times as fast as copying where a mask says so.
        np.multiply(later == slots[step], slots[step] - slots.dtype.type(step), out=moved)
        later -= moved
    return drawn


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
