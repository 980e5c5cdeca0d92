"""CRC-32C (Castagnoli), the checksum of TFRecords, of many byte strings at once.

A checksum is linear: of segments of equal length it is computed side by side, a byte of each at a time, and what stands
before a segment is added by the operator that so many zero bytes are. Zero bytes before everything change nothing.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np
from jaxtyping import UInt8, UInt32

POLYNOMIAL = 0x82F63B78  # bits reversed
SEGMENT = 1024  # bytes: long enough for few additions, short enough for many segments side by side
MASK = 0xA282EAD8  # what TFRecords add to the rotated checksum

Registers = UInt32[np.ndarray, " register"]


def crc32c(texts: Sequence[bytes]) -> UInt32[np.ndarray, " text"]:
    """The checksum of each, which has four bytes or more."""
    width = min(SEGMENT, max(map(len, texts), default=SEGMENT))
    counts = np.array([-(-len(text) // width) for text in texts], dtype=np.int64)
    ends = np.cumsum(counts)
    room = np.zeros(int(counts.sum()) * width, dtype=np.uint8)
    for text, end in zip(texts, (ends * width).tolist(), strict=True):
        assert len(text) >= 4, "checksums of fewer bytes are not needed"
        room[end - len(text) : end] = np.frombuffer(text, dtype=np.uint8)
        room[end - len(text) : end - len(text) + 4] ^= 0xFF  # the register begins with ones
    sums = _segments(room.reshape(-1, width))
    found = np.zeros(len(texts), dtype=np.uint32)
    for place in range(int(counts.max(initial=0)), 0, -1):
        longer = counts >= place
        found[longer] = _shift(found[longer]) ^ sums[ends[longer] - place]
    return ~found


def masked_crc32c(texts: Sequence[bytes]) -> UInt32[np.ndarray, " text"]:
    """The checksums as TFRecords hold them."""
    sums = crc32c(texts)
    return ((sums >> np.uint32(15)) | (sums << np.uint32(17))) + np.uint32(MASK)


def _segments(segments: UInt8[np.ndarray, "segment byte"]) -> Registers:
    table, found = _table(), np.zeros(len(segments), dtype=np.uint32)
    for column in np.ascontiguousarray(segments.T):
        found = table[(found & np.uint32(255)) ^ column] ^ (found >> np.uint32(8))
    return found


def _shift(registers: Registers) -> Registers:
    """Registers after a segment of zero bytes."""
    parts = [_zeros()[place][(registers >> np.uint32(8 * place)) & np.uint32(255)] for place in range(4)]
    return np.bitwise_xor.reduce(parts)


@cache
def _table() -> UInt32[np.ndarray, "256"]:
    table = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        table = (table >> np.uint32(1)) ^ np.where(table & np.uint32(1), np.uint32(POLYNOMIAL), np.uint32(0))
    return table


@cache
def _zeros() -> UInt32[np.ndarray, "4 256"]:
    """What a segment of zero bytes makes of each byte of a register, by its place."""
    registers = (np.arange(256, dtype=np.uint32)[None] << (8 * np.arange(4, dtype=np.uint32))[:, None]).astype(
        np.uint32
    )
    for _ in range(SEGMENT):
        registers = _table()[registers & np.uint32(255)] ^ (registers >> np.uint32(8))
    return registers
