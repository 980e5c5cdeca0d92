"""Episodes: who meets whom, as integers only."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Int

PAD = -1


@dataclass(frozen=True, eq=False)
class Episodes:
    """Sampled tasks as padded arrays; a label is the place of the image's class in the episode's `class_ids`."""

    support_ids: Int[np.ndarray, "episode support"]
    support_labels: Int[np.ndarray, "episode support"]
    query_ids: Int[np.ndarray, "episode query"]
    query_labels: Int[np.ndarray, "episode query"]
    class_ids: Int[np.ndarray, "episode way"]

    def __len__(self) -> int:
        return len(self.class_ids)

    def __getitem__(self, chosen: slice | Int[np.ndarray, " chosen"]) -> "Episodes":
        return Episodes(*(table[chosen] for table in self.tables))

    @property
    def tables(self) -> tuple[np.ndarray, ...]:
        """The five arrays in order."""
        return self.support_ids, self.support_labels, self.query_ids, self.query_labels, self.class_ids

    @property
    def trimmed(self) -> "Episodes":
        """The same without columns that are padding in all episodes."""
        widths = [int((table != PAD).any(axis=0).sum()) for table in self.tables]
        return Episodes(*(table[:, :width] for table, width in zip(self.tables, widths, strict=True)))

    @property
    def ways(self) -> Int[np.ndarray, " episode"]:
        """The number of classes that each episode shows; further classes, without support, are unknown to a learner."""
        return self.support_labels.max(axis=1) + 1


def join(parts: Sequence[Episodes]) -> Episodes:
    """Episodes one after the other, padded to the widest."""
    if len(parts) == 1:
        return parts[0]
    columns = zip(*(part.tables for part in parts), strict=True)
    return Episodes(*(_stack_padded(column) for column in columns))


def _stack_padded(tables: Sequence[np.ndarray]) -> np.ndarray:
    width = max(table.shape[1] for table in tables)
    if all(table.shape[1] == width for table in tables):
        return np.concatenate(tables)
    padded = [np.pad(table, ((0, 0), (0, width - table.shape[1])), constant_values=PAD) for table in tables]
    return np.concatenate(padded)
