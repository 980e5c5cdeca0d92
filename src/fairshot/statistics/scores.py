"""Scores: what one learner got in every episode and whether every single query was right."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from jaxtyping import Bool, Float, UInt8

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
    correct, asked = np.zeros((2, sum(map(len, parts)), width), dtype=bool)
    done = 0
    for part in parts:
        place = slice(done, done + len(part)), slice(part.correct.shape[1])
        correct[place], asked[place] = part.correct, part.asked
        done += len(part)
    return Scores(np.concatenate([part.values for part in parts]), correct, asked)


@dataclass(frozen=True, eq=False)
class _Packed:
    """Scores with one bit for each query."""

    values: Float[np.ndarray, " episode"]
    correct: UInt8[np.ndarray, "episode byte"]
    asked: UInt8[np.ndarray, "episode byte"] | None
    """None where every query was asked."""
    width: int

    def put(self, correct: Bool[np.ndarray, "episode query"], asked: Bool[np.ndarray, "episode query"] | None) -> None:
        """Unpacks into tables of at least this width that hold nothing."""
        correct[:, : self.width] = np.unpackbits(self.correct, axis=1, count=self.width)
        if asked is not None:
            bits = self.asked
            asked[:, : self.width] = True if bits is None else np.unpackbits(bits, axis=1, count=self.width)


class GrowingScores:
    """Scores that come part by part; single queries take a bit each until all are there."""

    def __init__(self, first: Scores) -> None:
        self._parts: list[_Packed] = []
        self._count, self.total = 0, 0.0
        self.add(first)

    def __len__(self) -> int:
        return self._count

    def add(self, part: Scores) -> None:
        """The next episodes."""
        asked = None if part.asked.all() else np.packbits(part.asked, axis=1)
        correct = np.packbits(part.correct, axis=1)
        self._parts.append(_Packed(part.values, correct, asked, part.correct.shape[1]))
        self._count += len(part)
        self.total += float(part.values.sum())

    def join(self) -> Scores:
        """All so far, as `join_scores` would give them."""
        width = max(part.width for part in self._parts)
        whole = all(part.asked is None and part.width == width for part in self._parts if len(part.values))
        correct = np.zeros((len(self), width), dtype=bool)
        asked = None if whole else np.zeros_like(correct)
        done = 0
        for part in self._parts:
            place = slice(done, done + len(part.values))
            part.put(correct[place], None if asked is None else asked[place])
            done = place.stop
        values = np.concatenate([part.values for part in self._parts])
        # A single True that stands for all takes no memory.
        return Scores(values, correct, np.broadcast_to(np.True_, correct.shape) if asked is None else asked)


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
