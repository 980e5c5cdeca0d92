"""Vectors that an encoder made before, by the content of their images: no image is embedded twice.

Below FAIRSHOT_CACHE, in a folder for each encoder, lie small files that are written once and never changed. So any
number of commands may read and write at the same time, an embedding that was killed goes on where it was, and a folder
to which five photographs were added costs five.
"""

import hashlib
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from jaxtyping import Float, Int, Shaped

from fairshot.runtime.cache import cache_folder
from fairshot.runtime.files import complete_file
from fairshot.runtime.progress import say

KEY, CHECKSUM = "S32", "checksum"


def image_keys(images: Shaped[np.ndarray, "image ..."], preparation: object = ()) -> np.ndarray:
    """A key for each image, the same for the same pixels of the same shape that are shown in the same way."""
    start = hashlib.blake2b(repr((images.shape[1:], images.dtype.str, preparation)).encode(), digest_size=16)
    keys = []
    for image in images:
        digest = start.copy()
        digest.update(np.ascontiguousarray(image).data)
        keys.append(digest.hexdigest())
    return np.array(keys, dtype=KEY)


def _checksum(row: np.void) -> int:
    """Of an image's key and vector together."""
    return zlib.crc32(row["vector"].tobytes(), zlib.crc32(row["key"]))


@dataclass(frozen=True)
class KeptVectors:
    """What one encoder made of images so far."""

    encoder: str
    """Its identity."""

    @property
    def folder(self) -> Path:
        """Where they lie."""
        return cache_folder() / "vectors" / self.encoder

    @cached_property
    def _tables(self) -> list[np.ndarray]:
        """Those that lie there, a file each; a damaged one counts as none and is made anew when needed."""
        tables = []
        for path in sorted(self.folder.glob("*.npy")):
            try:
                table = np.load(path, mmap_mode="r", allow_pickle=False)
                if len(table) and table.dtype["key"] == np.dtype(KEY) and table.dtype["vector"].ndim == 1:
                    tables.append(table)
            except (OSError, ValueError, EOFError, KeyError, TypeError):
                path.unlink(missing_ok=True)
        return tables

    @cached_property
    def _places(self) -> dict[bytes, tuple[int, int]]:
        """For each image that is known the number of its table and its row there."""
        return {
            key: (number, row)
            for number, table in enumerate(self._tables)
            for row, key in enumerate(np.array(table["key"]).tolist())
        }

    def fill(
        self, keys: np.ndarray, embed: Callable[[Int[np.ndarray, " missing"]], Float[np.ndarray, "missing feature"]]
    ) -> Float[np.ndarray, "image feature"]:
        """A vector for each key; `embed` makes those that are not known, by their place among the keys."""
        found = [self._find(key) for key in keys.tolist()]
        missing = np.array([place for place, where in enumerate(found) if where is None], dtype=np.int64)
        made = self._add(keys[missing], embed(missing)) if len(missing) else None
        width = made.shape[1] if made is not None else len(self._vector(found[0]))  # type: ignore[arg-type]
        vectors = np.empty((len(keys), width), dtype=np.float32)
        for place, where in enumerate(found):
            if where is not None:
                vectors[place] = self._vector(where)
        if made is not None:
            vectors[missing] = made
        return vectors

    def _find(self, key: bytes) -> tuple[int, int] | None:
        """Where the vector of an image is; a file in which one does not have its checksum is given up."""
        where = self._places.get(key)
        if where is None:
            return None
        table = self._tables[where[0]]
        if CHECKSUM not in (table.dtype.names or ()) or table[where[1]][CHECKSUM] == _checksum(table[where[1]]):
            return where  # files of earlier versions have none
        file = getattr(table, "filename", None)
        say(f"{file} is damaged, its content does not have its checksum: it is made anew")
        if file is not None:
            Path(file).unlink(missing_ok=True)
        for other in [other for other, place in self._places.items() if place[0] == where[0]]:
            del self._places[other]
        return None

    def _vector(self, where: tuple[int, int]) -> Float[np.ndarray, " feature"]:
        number, row = where
        return self._tables[number][row]["vector"]

    def _add(self, keys: np.ndarray, vectors: Float[np.ndarray, "image feature"]) -> Float[np.ndarray, "image feature"]:
        """Keeps new vectors in a file of their own, which is named by its keys."""
        columns = [("key", KEY), ("vector", np.float32, vectors.shape[1:]), (CHECKSUM, np.uint32)]
        table = np.empty(len(keys), dtype=columns)
        table["key"], table["vector"] = keys, vectors
        table[CHECKSUM] = [_checksum(row) for row in table]
        self.folder.mkdir(parents=True, exist_ok=True)
        name = hashlib.blake2b(keys.tobytes(), digest_size=16).hexdigest()
        with complete_file(self.folder / f"{name}.npy") as path, open(path, "wb") as file:
            np.save(file, table, allow_pickle=False)
        number = len(self._tables)
        self._tables.append(table)
        self._places.update({key: (number, row) for row, key in enumerate(keys.tolist())})
        return vectors
