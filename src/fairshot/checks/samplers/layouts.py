"""Whatever a sampler yields as an episode: lists of indices, support and query, (data, labels), dictionaries.

* A flat list of n_way * (shot + query) indices, class by class (easyfsl) or round by round (CategoriesSampler).
* (support, query); (support, support labels, query, query labels), whatever follows; (support, query, their labels).
* (items, labels) of one length: support are the even places of every class (learn2learn).
* {"support": ..., "query": ...} or {"train": ..., "test": ...} with items, or items and labels, maybe many episodes at
  once (torchmeta).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fairshot.checks.samplers.draws import Draw, Ids
from fairshot.runtime.errors import FairshotError, kind_of

SUPPORT, QUERY = ("support", "train", "spt"), ("query", "test", "qry")
FORMS = "give a list of indices, (support, query), (support, labels, query, labels) or a dictionary of these"


@dataclass(frozen=True, eq=False)
class Reader:
    """Reads episodes of items with these classes; `shot` says how many of a flat list are support."""

    classes: Ids
    shot: int

    def read(self, given: Any) -> Iterator[tuple[Draw, bool]]:
        """The episodes in what was yielded, and whether they came as flat lists."""
        if isinstance(given, Mapping):
            yield from ((draw, False) for draw in self._from_mapping(given))
            return
        parts = list(given) if isinstance(given, tuple | list) and not _is_flat(given) else None
        if parts is None:
            yield self._from_flat(self._ids(given)), True
            return
        yield self._from_parts(parts)

    def _ids(self, given: Any) -> Ids:
        """Indices of items, in whatever they are kept."""
        values = np.asarray(given.tolist() if hasattr(given, "tolist") else given)
        if values.dtype.kind not in "iuf" or not values.size:
            raise FairshotError(f"the sampler yields {kind_of(given)}, which holds no indices of items: {FORMS}")
        ids = values.astype(np.int64).ravel()
        if not np.array_equal(ids, values.ravel()) or ids.min() < 0 or ids.max() >= len(self.classes):
            raise FairshotError(
                f"the sampler yields {values.min()} to {values.max()} as items, and there are {len(self.classes):,}: "
                "yield indices of the items, which begin at 0"
            )
        return ids

    def _labels(self, given: Any) -> Ids:
        return np.asarray(given.tolist() if hasattr(given, "tolist") else given).astype(np.int64).ravel()

    def _from_flat(self, ids: Ids) -> Draw:
        """A list of items: class by class, or round by round."""
        classes = self.classes[ids]
        way = len(np.unique(classes))
        if len(ids) % way == 0:
            blocks = classes.reshape(way, -1)
            if (blocks == blocks[:, :1]).all():
                table = ids.reshape(way, -1)
                return Draw(table[:, : self.shot].ravel(), table[:, self.shot :].ravel())
        first = way * self.shot
        return Draw(ids[:first], ids[first:])

    def _from_parts(self, parts: Sequence[Any]) -> tuple[Draw, bool]:
        sizes = [len(part) if hasattr(part, "__len__") else -1 for part in parts]
        if len(parts) >= 4 and sizes[0] == sizes[1] and sizes[2] == sizes[3]:
            support, labels, query, more = parts[:4]
            return Draw(self._ids(support), self._ids(query), self._labels(labels), self._labels(more)), False
        if len(parts) >= 4 and sizes[0] == sizes[2] and sizes[1] == sizes[3]:
            support, query, labels, more = parts[:4]
            return Draw(self._ids(support), self._ids(query), self._labels(labels), self._labels(more)), False
        if len(parts) == 2 and sizes[0] == sizes[1] and self._are_labels(*parts):
            return self._even_places(self._ids(parts[0]), self._labels(parts[1])), False
        if len(parts) in (2, 3):
            return Draw(self._ids(parts[0]), self._ids(parts[1])), False
        raise FairshotError(f"the sampler yields {len(parts)} things for an episode: {FORMS}")

    def _are_labels(self, items: Any, labels: Any) -> bool:
        """Whether the second of two equal lists names the classes of the first."""
        ids, words = self._ids(items), self._labels(labels)
        pairs = set(zip(self.classes[ids].tolist(), words.tolist(), strict=True))
        return len(pairs) == len({one for one, _ in pairs}) == len({word for _, word in pairs})

    def _even_places(self, ids: Ids, labels: Ids) -> Draw:
        """Sorted by label, every second item is support."""
        order = np.argsort(labels, kind="stable")
        even = np.arange(len(ids)) % 2 == 0
        return Draw(ids[order][even], ids[order][~even], labels[order][even], labels[order][~even])

    def _from_mapping(self, given: Mapping[str, Any]) -> Iterator[Draw]:
        sides = []
        for names in (SUPPORT, QUERY):
            name = next((name for name in names if name in given), None)
            if name is None:
                raise FairshotError(f"the sampler yields a dictionary of {', '.join(map(str, given))}: {FORMS}")
            side = given[name]
            pair = isinstance(side, tuple | list) and len(side) == 2 and not _is_flat(side)
            sides.append((side[0], side[1]) if pair else (side, None))
        (support, support_labels), (query, query_labels) = sides
        many = getattr(support, "ndim", 1) > 1
        for number in range(len(support) if many else 1):
            ids = [self._ids(part[number] if many else part) for part in (support, query)]
            labels = [
                None if part is None else self._labels(part[number] if many else part)
                for part in (support_labels, query_labels)
            ]
            yield Draw(ids[0], ids[1], labels[0], labels[1])


def _is_flat(given: Sequence[Any]) -> bool:
    """Whether a list holds numbers, or tensors of one number each."""
    return all(np.ndim(one.tolist() if hasattr(one, "tolist") else one) == 0 for one in given)
