"""One ordered map over portions of work: in this process, or in several on this machine."""

import os
from collections.abc import Callable, Iterable, Iterator
from typing import Literal, TypeVar

Item = TypeVar("Item")
Answer = TypeVar("Answer")
Backend = Literal["serial", "local"]


def ordered_map(work: Callable[[Item], Answer], items: Iterable[Item], backend: Backend = "serial") -> Iterator[Answer]:
    """The answers in the order of the items, as they come; answers do not depend on the backend."""
    if backend == "serial":
        return map(work, items)
    from joblib import Parallel, delayed, parallel_config

    # joblib starts fresh processes, ships functions by value and large arrays as shared memory maps.
    # Each process gets its share of the cores for BLAS and torch, so that they do not fight over them.
    cores = os.cpu_count() or 1
    with parallel_config("loky", n_jobs=cores, inner_max_num_threads=1):
        return iter(Parallel(return_as="generator", batch_size=1)(delayed(work)(item) for item in items))
