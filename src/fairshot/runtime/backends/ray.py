"""Ray: as many machines as its cluster has, or this one alone.

The work, with all that it needs, is put into Ray's store once and opened once by every worker; portions travel alone.
A worker that dies is started again, and what it was doing is done again.
"""

import functools
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from fairshot.runtime.backends.work import Answer, Item
from fairshot.runtime.errors import FairshotError

QUEUED = 2  # portions at each worker: one that it works on, and the next, so that it need not wait
RESTARTS = 5  # of each worker: what kills it every time is told, not tried for ever


class Worker:
    """Holds the last work that it was given, and does a portion of it at a time."""

    def __init__(self) -> None:
        self.work: tuple[Any, Callable[[Any], Any]] = (None, abs)

    def answer(self, work: list[Any], item: Any) -> Any:
        """What the work gives; it stands in a list, so that Ray does not fetch it for every portion."""
        import ray
        from cloudpickle import loads

        if self.work[0] != work[0]:
            self.work = work[0], loads(ray.get(work[0]))
        return self.work[1](item)


def map_with_ray(work: Callable[[Item], Answer], items: Iterable[Item]) -> Iterator[Answer]:
    """The answers in the order of the items, as they come."""
    from cloudpickle import dumps

    ray = _connect()
    shared = [ray.put(dumps(work))]  # our own pickles: they hold somebody's file by value
    free = deque(_workers(ray.get_runtime_context().get_job_id()) * QUEUED)
    busy: dict[Any, Any] = {}
    waiting: deque[Any] = deque()
    for item in items:
        while not free:
            free.extend(_finished(ray, busy))
        worker = free.popleft()
        waiting.append(worker.answer.remote(shared, item))
        busy[waiting[-1]] = worker
        while waiting and waiting[0] not in busy:
            yield _opened(ray, waiting.popleft())
    while waiting:
        yield _opened(ray, waiting.popleft())


@functools.cache
def _workers(job: str) -> list[Any]:
    """One for each processor of the cluster, started once for each time that this process connects to one."""
    import ray

    kind = ray.remote(num_cpus=1, max_restarts=RESTARTS, max_task_retries=RESTARTS)(Worker)
    return [kind.remote() for _ in range(max(1, int(ray.cluster_resources().get("CPU", 1))))]


def _connect() -> Any:
    """Ray, connected to the cluster that `RAY_ADDRESS` names, or started on this machine."""
    try:
        import ray
    except ImportError as error:
        raise FairshotError("Ray was asked for, and it is not installed: pip install 'fairshot[ray]'") from error
    if not ray.is_initialized():
        address = os.environ.get("RAY_ADDRESS")
        options: dict[str, Any] = {} if address else {"include_dashboard": False}
        try:
            ray.init(address, log_to_driver=False, logging_level="error", **options)
        except (ConnectionError, RuntimeError, ValueError) as error:
            where = f"answer at {address}: start it with 'ray start --head'" if address else "start on this machine"
            raise FairshotError(f"Ray does not {where} ({error})") from error
    return ray


def _finished(ray: Any, busy: dict[Any, Any]) -> list[Any]:
    """Waits for at least one portion; the workers whose portions are done."""
    done, _ = ray.wait(list(busy), num_returns=1)
    more, _ = ray.wait(list(busy), num_returns=len(busy), timeout=0)
    return [busy.pop(answer) for answer in {*done, *more}]


def _opened(ray: Any, answer: Any) -> Any:
    """The answer, or the error that the work raised."""
    try:
        return ray.get(answer)
    except ray.exceptions.RayTaskError as error:
        raise error.cause from None
    except ray.exceptions.RayActorError as error:
        _workers.cache_clear()  # the next work gets others
        raise FairshotError(
            f"a worker of Ray has died {RESTARTS + 1} times (out of memory, killed, or it ended itself): try "
            "again with backend=serial, which shows where"
        ) from error
