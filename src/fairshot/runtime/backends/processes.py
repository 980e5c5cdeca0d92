"""Processes on this machine: for work that holds the interpreter."""

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator

from fairshot.runtime.backends.work import Answer, Item
from fairshot.runtime.errors import FairshotError

LOOK_SECONDS = 1.0  # how often a worker looks whether the process that started it still lives


def map_in_processes(work: Callable[[Item], Answer], items: Iterable[Item]) -> Iterator[Answer]:
    """The answers in the order of the items, as they come."""
    from joblib import Parallel, delayed, parallel_config
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    # joblib starts fresh processes, ships functions by value and large arrays as shared memory maps.
    # One thread each for BLAS and torch: as many processes as cores must not fight over them.
    # Workers watch over their parent before they import what the work needs, which takes them seconds.
    watched = {"initializer": end_with, "initargs": (os.getpid(),)}
    with parallel_config("loky", n_jobs=os.cpu_count() or 1, inner_max_num_threads=1, **watched):
        answers = Parallel(return_as="generator", batch_size=1)(delayed(work)(item) for item in items)
    try:
        yield from answers
    except TerminatedWorkerError as error:
        raise FairshotError(
            "a process that did part of the work has died (out of memory, killed, or it ended itself): try again with "
            "backend=serial, which shows where"
        ) from error


def end_with(parent: int) -> None:
    """From now on this process ends soon after the one that started it, which may have been killed already."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(LOOK_SECONDS)
        os._exit(1)

    if os.getppid() == parent:
        threading.Thread(target=watch, daemon=True).start()
    elif not _lives(parent):  # else a system whose processes have no such parents
        os._exit(1)


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass  # somebody else's
    return True
