"""One ordered map over portions of work: one after the other, in threads, in processes on this machine, or with Ray."""

import time
from collections.abc import Callable, Iterable, Iterator
from typing import Literal

from fairshot.runtime.backends.processes import map_in_processes
from fairshot.runtime.backends.ray import map_with_ray
from fairshot.runtime.backends.threads import map_in_threads
from fairshot.runtime.backends.work import Answer, Item

Backend = Literal["auto", "serial", "threads", "local", "ray"]
APART: tuple[Backend, ...] = ("local", "ray")
"""Those whose work is done by other processes, which share no memory with this one."""
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
    if backend == "serial":
        yield from map(work, items)
    elif backend == "threads":
        yield from map_in_threads(work, items, prepare)
    else:
        yield from map_with_ray(work, items) if backend == "ray" else map_in_processes(work, items)
