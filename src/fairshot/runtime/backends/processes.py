"""Processes on this machine: for work that holds the interpreter."""

import os
from collections.abc import Callable, Iterable, Iterator

from fairshot.runtime.backends.work import Answer, Item


def map_in_processes(work: Callable[[Item], Answer], items: Iterable[Item]) -> Iterator[Answer]:
    """The answers in the order of the items, as they come."""
    from joblib import Parallel, delayed, parallel_config

    # joblib starts fresh processes, ships functions by value and large arrays as shared memory maps.
    # One thread each for BLAS and torch: as many processes as cores must not fight over them.
    with parallel_config("loky", n_jobs=os.cpu_count() or 1, inner_max_num_threads=1):
        answers = Parallel(return_as="generator", batch_size=1)(delayed(work)(item) for item in items)
    yield from answers
