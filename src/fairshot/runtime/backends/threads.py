"""Threads of this process: for work whose time goes into array operations."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor

from fairshot.runtime.backends.work import Answer, Item


def map_in_threads(
    work: Callable[[Item], Answer], items: Iterable[Item], prepare: Callable[[], None]
) -> Iterator[Answer]:
    """The answers in the order of the items, as they come."""
    waiting: deque[Future[Answer]] = deque()
    with ThreadPoolExecutor(os.cpu_count(), initializer=prepare) as pool:
        for item in items:
            waiting.append(pool.submit(work, item))
            if len(waiting) > (os.cpu_count() or 1):  # items are made as they are needed, not all at once
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
