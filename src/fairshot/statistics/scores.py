"""Scores: what one learner got in every episode and whether every single query was right."""

import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from jaxtyping import Bool, Float

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.files import complete_file


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

    def save(self, path: Path) -> None:
        """Writes an .npz file with one bit per query, or leaves what was there."""
        bits = {name: np.packbits(table, axis=1) for name, table in (("correct", self.correct), ("asked", self.asked))}
        with complete_file(path) as unfinished:
            np.savez(
                unfinished, allow_pickle=False, values=self.values, queries=np.array(self.correct.shape[1]), **bits
            )


def join_scores(parts: Sequence[Scores]) -> Scores:
    """Episodes one after the other, padded to the widest."""
    width = max(part.correct.shape[1] for part in parts)
    correct, asked = (
        np.concatenate([np.pad(table, ((0, 0), (0, width - table.shape[1]))) for table in tables])
        for tables in ([part.correct for part in parts], [part.asked for part in parts])
    )
    return Scores(np.concatenate([part.values for part in parts]), correct, asked)


NO_SCORES = Scores(np.zeros(0), np.zeros((0, 0), dtype=bool), np.zeros((0, 0), dtype=bool))


def load_scores(path: Path) -> Scores:
    """The scores in an .npz file."""
    try:
        with open(path, "rb") as file, np.load(file, allow_pickle=False) as saved:
            width, nothing = int(saved["queries"]), np.zeros((len(saved["values"]), 0), dtype=bool)
            correct, asked = (
                np.unpackbits(saved[name], axis=1, count=width).astype(bool) if width else nothing
                for name in ("correct", "asked")
            )
            return Scores(saved["values"], correct, asked)
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise FairshotError(
            f"{path} is not a readable file of scores: remove it, and the same command makes it anew"
        ) from error
