"""Rows of a table as they are read, so that little more than the features themselves is ever in memory."""

from array import array
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from jaxtyping import Float32, Shaped

GROWTH = 1.25  # by which the room for features grows when it is full


def _no_room() -> Float32[np.ndarray, "0 0"]:
    return np.empty((0, 0), np.float32)


@dataclass
class Collection:
    """The rows so far: features as numbers, words as places among the words that occurred."""

    rows: int = 0
    features: Float32[np.ndarray, "room feature"] = field(default_factory=_no_room)
    places: dict[str, "array[int]"] = field(default_factory=dict)
    words: dict[str, dict[Hashable, int]] = field(default_factory=dict)

    def add(self, features: Shaped[np.ndarray, "row feature"], words: Mapping[str, Iterable[Hashable]]) -> None:
        """Appends rows; the room for features grows in place, so that they are never there twice."""
        width, after = features.shape[1], self.rows + len(features)
        if not self.rows:
            self.features = np.empty((0, width), np.float32)
        if after > len(self.features):
            self.features.resize((max(after, int(GROWTH * len(self.features))), width), refcheck=False)
        with np.errstate(over="ignore"):  # refused as infinite when all is read
            self.features[self.rows : after] = features
        for name, values in words.items():
            known, places = self.words.setdefault(name, {}), self.places.setdefault(name, array("q"))
            places.extend(known.setdefault(value, len(known)) for value in values)
        self.rows = after

    def arrays(self) -> dict[str, np.ndarray]:
        """The features as X, and every other array under its own name."""
        self.features.resize((self.rows, self.features.shape[1]), refcheck=False)
        tables = {name: _table(list(known)) for name, known in self.words.items()}
        words = {name: table[np.frombuffer(self.places[name], dtype=np.int64)] for name, table in tables.items()}
        return {"X": self.features, **words}


def _table(words: Sequence[Hashable]) -> np.ndarray:
    """An array of words that are all of one kind; others stay objects, for whoever asked to refuse."""
    return np.array(words, dtype=None if len({type(word) for word in words}) == 1 else object)
