"""Draws of labelled images for a probe: so many of each class of a pool, again and again.

Draw i depends on the seed, i, and the pool; not on how many draws or shots are asked for. With more shots a draw
contains the draw with fewer.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Int

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.fingerprints import fingerprint
from fairshot.runtime.seeds import Stream
from fairshot.sources.source import Source
from fairshot.tables.words import count_of

VERSION = 1  # raised whenever the same seed would give other draws


@dataclass(frozen=True, eq=False)
class SupportDraws:
    """The image ids of every draw, in the order of the pool's classes."""

    pool: Source
    image_ids: Int[np.ndarray, "draw class shot"]

    def __len__(self) -> int:
        return len(self.image_ids)

    @property
    def shot(self) -> int:
        """Labelled images of each class."""
        return self.image_ids.shape[2]

    @cached_property
    def key(self) -> str:
        """Names these draws of these images by content: whoever has the same images can draw the same."""
        return fingerprint("draws", self.pool.origin, np.sort(self.image_ids, axis=2))

    def first(self, shot: int) -> "SupportDraws":
        """The same draws with fewer images of each class."""
        return SupportDraws(self.pool, self.image_ids[:, :, :shot])


def draw_supports(pool: Source, shot: int, draws: int, seed: int = 0) -> SupportDraws:
    """So many draws of `shot` images of every class, each without replacement and independent of the others."""
    refuse_small(pool, shot)
    members = pool.members
    rows = np.stack(
        [Stream(seed, "probe", VERSION, draw).ordered_sample(members.counts, shot) for draw in range(draws)]
    )
    return SupportDraws(pool, members.image_ids[members.starts[:, None] + rows])


def refuse_small(pool: Source, shot: int) -> None:
    """Raises where a class has fewer images than a draw needs."""
    counts = pool.members.counts
    small = np.flatnonzero(counts < shot)
    if len(small):
        name = pool.class_names[pool.classes[small[np.argmin(counts[small])]]]
        least = count_of(int(counts.min()), "image")
        more = f", and {count_of(len(small) - 1, 'other class')} too few" if len(small) > 1 else ""
        raise FairshotError(
            f"{shot} shots were asked for, and class '{name}' has {least} in the pool{more}: ask for "
            f"{counts.min()} shots at most, or leave out small classes with skip_small"
        )


def draws_from_rows(pool: Source, draws: Sequence[Sequence[int]], where: str) -> SupportDraws:
    """Somebody's draws, each a list of rows of the pool, with as many of each class in every one."""
    classes, shot = pool.classes, len(draws[0]) // len(pool.classes)
    table = []
    for number, rows in enumerate(draws):
        ids = _known_rows(pool, rows, f"draw {number} of {where}")
        owners = np.searchsorted(classes, pool.class_ids[rows])
        counts = np.bincount(owners, minlength=len(classes))
        if shot < 1 or (counts != shot).any():
            odd = int(np.flatnonzero(counts != max(shot, 1))[0])
            raise FairshotError(
                f"draw {number} of {where} has {count_of(int(counts[odd]), 'image')} of class "
                f"'{pool.class_names[classes[odd]]}' where others have {max(shot, 1)}: give every class as many in "
                "every draw"
            )
        order = np.argsort(owners, kind="stable")
        table.append(ids[order].reshape(len(classes), shot))
    return SupportDraws(pool, np.stack(table))


def _known_rows(pool: Source, rows: Sequence[int], where: str) -> Int[np.ndarray, " row"]:
    numbers = np.asarray(rows)
    if numbers.min() < 0 or numbers.max() >= len(pool):
        raise FairshotError(f"{where} names row {numbers.max()} and the pool has {len(pool)} rows, from 0 on")
    if len(np.unique(numbers)) < len(numbers):
        raise FairshotError(f"{where} names a row twice: a draw has every image once")
    return pool.image_ids[numbers]
