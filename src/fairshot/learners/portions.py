"""Tasks of images in portions, so that a network's maps fit into memory whatever is asked at once."""

import math
from collections.abc import Iterator

from fairshot.learners.learner import TaskBatch

PIXELS = 1 << 19  # shown to a network at a time: a map of 64 channels takes 128 MB, and some three are there at once


def portions(batch: TaskBatch, pixels: int, *, most: int | None = None) -> Iterator[list[TaskBatch]]:
    """At most `most` tasks at a time, each time in as many pieces as it takes to ask all their queries.

    For networks whose answer to a query depends on the support alone, which is whole in every piece.
    """
    support, query = batch.support.shape[1], batch.query.shape[1]
    images = pixels // math.prod(batch.support.shape[3:])
    tasks = max(1, min(images // (support + query), most or len(batch.way)))
    # No fewer queries than support images: these are shown again in every piece, which must not take most of the time.
    pieces = -(-query // max(images - support, support, 1))
    size = max(1, -(-query // max(1, pieces)))
    for first in range(0, len(batch.way), tasks):
        some = slice(first, first + tasks)
        yield [batch.some(some, slice(start, start + size)) for start in range(0, max(1, query), size)]
