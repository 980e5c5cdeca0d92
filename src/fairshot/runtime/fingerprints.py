"""A short name for content: equal content, equal name, on every machine."""

import hashlib
import json
from typing import Any

import numpy as np
from jaxtyping import Int64, Shaped

SLAB = 1 << 24  # bytes hashed at a time, so that a memory-mapped array never has to fit into memory


def fingerprint(*things: Any) -> str:
    """32 hexadecimal digits that depend on the content of arrays and of JSON-like values, not on where they lie."""
    digest = hashlib.blake2b(digest_size=16)
    for thing in things:
        if isinstance(thing, np.ndarray):
            digest.update(f"{thing.dtype.str}{thing.shape}".encode())
            table = np.atleast_1d(thing)
            rows = max(1, SLAB // max(1, table[:1].nbytes))
            for start in range(0, len(table), rows):
                digest.update(np.ascontiguousarray(table[start : start + rows]).data)
        else:
            digest.update(json.dumps(thing, sort_keys=True).encode() + b"\n")
    return digest.hexdigest()


def hash_rows(table: Shaped[np.ndarray, "row ..."]) -> Int64[np.ndarray, " row"]:
    """A number for each row of an array, equal for equal content."""
    digests = [hashlib.blake2b(np.ascontiguousarray(row).data, digest_size=8).digest() for row in table]
    return np.frombuffer(b"".join(digests), dtype="<i8").astype(np.int64)
