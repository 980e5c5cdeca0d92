"""The only place where randomness begins.

Streams are named by integers and words, and only the raw 64-bit output of PCG64 is used: NumPy guarantees that stream
for ever, while it reserves the right to change what `Generator.integers` or `Generator.permutation` draw from it.
"""

import zlib

import numpy as np
from jaxtyping import Float, Int


class Stream:
    """Uniform numbers and ordered samples that are the same on every machine and under every NumPy."""

    def __init__(self, *path: int | str) -> None:
        words = [zlib.crc32(part.encode()) if isinstance(part, str) else part for part in path]
        self._bits = np.random.PCG64(np.random.SeedSequence(words))

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
        i swaps slot i with slot[i], so what slot[i] holds is found by following the earlier swaps backwards. For
        many draws from small pools the quadratic chase costs more than sorting random keys.
        """
        if count * count > 16 * int(sizes.max(initial=1)) and count > 32:
            return self.permutations(sizes)[:, :count]
        steps = np.arange(count)
        slot = (self.uniform(count, len(sizes)) * (sizes - steps[:, None])).astype(np.int32) + steps[:, None].astype(np.int32)
        drawn = slot.copy()
        for i in range(1, count):
            value = drawn[i]
            for j in range(i - 1, -1, -1):
                value[value == slot[j]] = j
        return drawn.T.astype(np.int64)

    def permutations(self, sizes: Int[np.ndarray, " row"]) -> Int[np.ndarray, "row width"]:
        """For each row, the integers below its size in random order; what exceeds the size comes last."""
        width = int(sizes.max(initial=0))
        keys = self._bits.random_raw(len(sizes) * width).reshape(len(sizes), width)
        bits = np.uint64(max(width - 1, 1).bit_length())
        place = np.arange(width, dtype=np.uint64)
        # The place rides in the low bits of its random key: one plain sort instead of a slower argsort.
        keys = ((keys >> (bits + np.uint64(1))) << bits) | place
        beyond = place >= sizes[:, None].astype(np.uint64)
        keys = np.where(beyond, keys | np.uint64(1 << 63), keys)
        keys.sort(axis=1)
        return (keys & np.uint64((1 << int(bits)) - 1)).astype(np.int64)
