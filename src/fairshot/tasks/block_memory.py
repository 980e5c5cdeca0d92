"""The first blocks of a task's episodes, drawn once however many learners answer them and whatever asks again."""

from dataclasses import dataclass, field

import numpy as np

from fairshot.sources.source import Source
from fairshot.tasks.episodes import Episodes, join
from fairshot.tasks.task import BLOCK, TaskDistribution

MOST_BYTES = 1 << 26  # kept of one task


@dataclass
class BlockMemory:
    """Blocks by number, in the smallest integers that hold them; what does not fit is drawn again."""

    blocks: dict[int, Episodes] = field(default_factory=dict)
    bytes: int = 0

    def sample(self, task: TaskDistribution, source: Source, episodes: range, seed: int) -> Episodes:
        """As the task samples them; one memory is for one task, source and seed."""
        first, last = episodes.start // BLOCK, (episodes.stop - 1) // BLOCK
        pieces = [
            range(max(episodes.start, block * BLOCK), min(episodes.stop, (block + 1) * BLOCK))
            for block in range(first, last + 1)
        ]
        if len(pieces) == 1:
            return self._piece(task, source, episodes, seed)
        return join([self._piece(task, source, piece, seed) for piece in pieces])

    def _piece(self, task: TaskDistribution, source: Source, piece: range, seed: int) -> Episodes:
        """Episodes of one block."""
        start = piece.start // BLOCK * BLOCK
        kept = self.blocks.get(start)
        if kept is not None and len(kept) >= piece.stop - start:
            return widen(kept[piece.start - start : piece.stop - start])
        drawn = task.sample(source, piece, seed)
        if piece.start == start and kept is None and self.bytes < MOST_BYTES:
            small = shrink(drawn)
            self.blocks[start] = small
            self.bytes += sum(table.nbytes for table in small.tables)
        return drawn


def widen(episodes: Episodes) -> Episodes:
    """The same episodes in 64-bit integers."""
    return Episodes(*(table.astype(np.int64) for table in episodes.tables))


def shrink(episodes: Episodes) -> Episodes:
    """The same episodes in the smallest integers that hold them."""
    return Episodes(*(table.astype(np.min_scalar_type(-int(table.max(initial=0)) - 1)) for table in episodes.tables))
