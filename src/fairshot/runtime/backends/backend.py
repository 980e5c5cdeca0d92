"""One ordered map over portions of work: one after the other, in threads, or in processes on this machine."""

import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Literal, TypeVar

Item = TypeVar("Item")
Answer = TypeVar("Answer")
Backend = Literal["auto", "serial", "threads", "local"]
Progress = Callable[[str, int, int, float], None]
"""Called with what is being done, how much is done, how much there is in all, and the running mean."""

WORTH_SECONDS = 10  # processes take some seconds to start; less work than this is done here


def ordered_map(
    work: Callable[[Item], Answer],
    items: Iterable[Item],
    *,
    count: int,
    backend: Backend = "auto",
    prepare: Callable[[], None] = lambda: None,
) -> Iterator[Answer]:
    """The answers in the order of the items, as they come; no answer depends on the backend.

    `auto` does the first of `count` items here and starts processes if the others would take long. `prepare` is run
    first by every thread: several threads of ours must not each start several of their own.
    """
    items = iter(items)
    if backend == "auto":
        started = time.monotonic()
        for item in items:
            yield work(item)
            break
        slow = (time.monotonic() - started) * (count - 1) > WORTH_SECONDS
        backend = "local" if slow else "serial"
    if backend == "threads":
        yield from _in_threads(work, items, prepare)
    else:
        yield from map(work, items) if backend == "serial" else _in_processes(work, items)


def _in_threads(work: Callable[[Item], Answer], items: Iterable[Item], prepare: Callable[[], None]) -> Iterator[Answer]:
    waiting: deque[Future[Answer]] = deque()
    with ThreadPoolExecutor(os.cpu_count(), initializer=prepare) as pool:
        for item in items:
            waiting.append(pool.submit(work, item))
            if len(waiting) > (os.cpu_count() or 1):  # items are made as they are needed, not all at once
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _in_processes(work: Callable[[Item], Answer], items: Iterable[Item]) -> Iterator[Answer]:
    from joblib import Parallel, delayed, parallel_config

    # joblib starts fresh processes, ships functions by value and large arrays as shared memory maps.
    # One thread each for BLAS and torch: as many processes as cores must not fight over them.
    with parallel_config("loky", n_jobs=os.cpu_count() or 1, inner_max_num_threads=1):
        answers = Parallel(return_as="generator", batch_size=1)(delayed(work)(item) for item in items)
    yield from answers
