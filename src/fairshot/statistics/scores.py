"""Scores: what one learner got in every episode and whether every single query was right."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from jaxtyping import Bool, Float

from fairshot.runtime.kept_tables import read_tables, unreadable_tables, write_tables


@dataclass(frozen=True, eq=False)
class Scores:
    """One score per episode, with the correctness behind it; intervals need the latter."""

    values: Float[np.ndarray, " episode"]
    correct: Bool[np.ndarray, "episode query"]
    asked: Bool[np.ndarray, "episode query"]

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, chosen: slice) -> "Scores":
        return Scores(self.values[chosen], self.correct[chosen], self.asked[chosen])

    @property
    def tables(self) -> dict[str, np.ndarray]:
        """What is kept of them: one bit per query."""
        bits = {name: np.packbits(table, axis=1) for name, table in (("correct", self.correct), ("asked", self.asked))}
        return {"values": self.values, "queries": np.array(self.correct.shape[1]), **bits}

    def save(self, path: Path) -> None:
        """Writes an .npz file, or leaves what was there."""
        write_tables(path, self.tables)


def join_scores(parts: Sequence[Scores]) -> Scores:
    """Episodes one after the other, padded to the widest."""
    width = max(part.correct.shape[1] for part in parts)
    correct, asked = (
        np.concatenate([np.pad(table, ((0, 0), (0, width - table.shape[1]))) for table in tables])
        for tables in ([part.correct for part in parts], [part.asked for part in parts])
    )
    return Scores(np.concatenate([part.values for part in parts]), correct, asked)


NO_SCORES = Scores(np.zeros(0), np.zeros((0, 0), dtype=bool), np.zeros((0, 0), dtype=bool))


def load_scores(path: Path, content: bytes | None = None) -> Scores:
    """The scores in an .npz file, or in what is the content of one."""
    kinds = {"values": ("f", 1), "queries": ("iu", 0), "correct": ("u", 2), "asked": ("u", 2)}
    saved = read_tables(path, kinds, content)
    width, count = int(saved["queries"]), len(saved["values"])
    bits = [saved["correct"], saved["asked"]]
    if any(table.dtype != np.uint8 or table.shape != (count, -(-width // 8)) for table in bits):
        raise unreadable_tables(path)
    nothing = np.zeros((count, 0), dtype=bool)
    correct, asked = (np.unpackbits(table, axis=1, count=width).astype(bool) if width else nothing for table in bits)
    return Scores(saved["values"], correct, asked)
