"""Meta-Dataset's episodes as its released reader gives them: every class is read through a shuffle buffer.

A class is read from its first image to its last: a buffer holds the next images, and each one that is wanted is drawn
out of it. An episode takes its support, then its queries; the next episode with the class goes on from there. Where too
few images are left they are thrown away, and the class is read anew. Without a buffer images come in their order in the
file, which put frames of one film on both sides (google-research/meta-dataset, issue 54). What an episode holds depends
on all before it in its block.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Int

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.seeds import Stream
from fairshot.sources.source import Source
from fairshot.tasks.disjoint import Drawn
from fairshot.tasks.episodes import PAD
from fairshot.tasks.meta_dataset import MetaDataset
from fairshot.tasks.variable import Description

RELEASED_BUFFER = 1000


@dataclass(frozen=True)
class ShuffleBuffer(MetaDataset):
    """The same classes and numbers of images as `meta_dataset` with the same seed; other images."""

    buffer: int = RELEASED_BUFFER
    """Images that a buffer holds; 0: none, images come in order."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.buffer < 0:
            raise FairshotError(f"buffer is {self.buffer}: it must be 0 or more")
        if self.disjoint is not None:
            raise FairshotError("a shuffle buffer knows no groups: let disjoint be none")

    @property
    def label(self) -> str:
        """Such as `meta-dataset released, shuffle buffer of 1000`."""
        return f"{super().label}, {f'shuffle buffer of {self.buffer}' if self.buffer else 'read in order'}"

    def draw_images(self, source: Source, plan: Description, stream: Stream) -> Drawn:
        """From one reader for each class, episode after episode."""
        members = source.members
        readers = {
            int(row): ClassReader(
                members.image_ids[members.starts[row] : members.starts[row] + members.counts[row]],
                self.buffer,
                stream.child(f"class {row}"),
            )
            for row in np.unique(plan.rows[plan.rows != PAD])
        }
        wanted = np.where(plan.rows == PAD, 0, plan.shots + plan.queries[:, None])
        images = np.full((*plan.rows.shape, int(wanted.max())), PAD)
        for episode, way in zip(*np.nonzero(wanted), strict=True):
            count = int(wanted[episode, way])
            images[episode, way, :count] = readers[int(plan.rows[episode, way])].take(count)
        order = np.arange(images.shape[2])
        shown = order < plan.shots[:, :, None]
        return images, shown, (order < wanted[:, :, None]) & ~shown


class ClassReader:
    """The images of one class, one pass after the other."""

    def __init__(self, images: Int[np.ndarray, " image"], buffer: int, stream: Stream) -> None:
        self.images, self.buffer, self.stream = images, min(buffer, len(images)), stream
        self.left = images[:0]

    def take(self, count: int) -> Int[np.ndarray, " taken"]:
        """The next images; what is left of a pass is thrown away where it is not enough."""
        if count > len(self.left):
            self.left = self.images[self._order()]
        taken, self.left = self.left[:count], self.left[count:]
        return taken

    def _order(self) -> Int[np.ndarray, " image"]:
        """The order of one pass: each image out of the buffer makes room for the next one."""
        size = len(self.images)
        if self.buffer < 2:
            return np.arange(size)
        if self.buffer == size:
            return self.stream.permutations(np.array([size]))[0]
        held, order = list(range(self.buffer)), np.empty(size, dtype=np.int64)
        coming = iter(range(self.buffer, size))
        for place, share in enumerate(self.stream.uniform(size)):
            chosen = int(share * len(held))
            order[place] = held[chosen]
            following = next(coming, None)
            held[chosen] = held[-1] if following is None else following
            if following is None:
                held.pop()
        return order
