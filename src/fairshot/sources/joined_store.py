"""Several stores read as one; nothing is copied until it is read."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from jaxtyping import Int, Shaped


@dataclass(frozen=True, eq=False)
class JoinedStore:
    """The rows of each store after those of the one before; a single channel is repeated beside stores with more."""

    stores: tuple[Any, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        """Of all rows together."""
        first = self.stores[0].shape[1:]
        widest = max(store.shape[1] for store in self.stores)
        return (int(self._ends[-1]), widest, *first[1:])

    @property
    def ndim(self) -> int:
        """4 for images, 2 for feature vectors."""
        return len(self.shape)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The same in all stores."""
        return np.dtype(self.stores[0].dtype)

    @cached_property
    def _ends(self) -> Int[np.ndarray, " store"]:
        return np.cumsum([len(store) for store in self.stores])

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[np.ndarray]:
        return (row for row in (self[slice(number, number + 1)][0] for number in range(len(self))))

    def __getitem__(self, rows: slice | Int[np.ndarray, " row"]) -> Shaped[np.ndarray, "row ..."]:
        """Some rows, in the order in which they are asked for."""
        rows = np.arange(len(self))[rows] if isinstance(rows, slice) else rows
        read = np.empty((len(rows), *self.shape[1:]), self.dtype)
        homes = np.searchsorted(self._ends, rows, side="right")
        for number in np.unique(homes):
            chosen, store = homes == number, self.stores[number]
            read[chosen] = store[rows[chosen] - (self._ends[number] - len(store))]
        return read

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return self[slice(None)].astype(dtype or self.dtype, copy=False)
