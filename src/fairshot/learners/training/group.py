"""Several processes that train one model: each embeds its part of a step's images, PyTorch adds the gradients up.

The network runs under PyTorch's DistributedDataParallel over gloo. Vectors are gathered before the loss, so that every
process computes the loss of the whole step, whatever the learner; batch norm has the statistics of all images. A step
is the step of one process but for rounding. Only the first process writes.
"""

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.modules.batchnorm import _BatchNorm

from fairshot.learners.layers.norm import Norm
from fairshot.learners.layers.shared_norm import batch_is_shared, sum_of_all
from fairshot.learners.training.inner_loop import InnerLoop
from fairshot.learners.training.plan import Plan
from fairshot.learners.training.trainable import Model, Trainable
from fairshot.runtime.backends.processes import end_with
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.progress import say

RANK, SIZE = "RANK", "WORLD_SIZE"  # as torchrun sets them
PARENT = "FAIRSHOT_PARENT"  # the process that started this one
GRACE = 10.0  # seconds in which a process may say itself what was wrong, before it is said that another has ended


@dataclass(eq=False)
class Group:
    """The processes of one training; this one alone where nobody started others."""

    rank: int = 0
    size: int = 1
    _shared: nn.Module | None = field(default=None, init=False)

    @property
    def first(self) -> bool:
        """Whether this process writes."""
        return self.rank == 0

    def wait(self) -> None:
        """Until all processes are here."""
        if self.size > 1:
            torch.distributed.barrier()

    def step(self, model: Model) -> Any:
        """What surrounds the loss of a step: inside, the network sees this process's part of the images."""
        return nullcontext() if self.size == 1 else self._parted(model.network)

    @contextmanager
    def _parted(self, network: Any) -> Iterator[None]:
        if self._shared is None:
            # Weights whose gradient nobody asks for, such as a bias before batch norm, are not waited for.
            self._shared = nn.parallel.DistributedDataParallel(_Core(network), find_unused_parameters=True)
            self._shared.train()  # type: ignore[no-untyped-call]
        network.forward = self._embed
        try:
            with batch_is_shared():
                yield
        finally:
            del network.forward

    def _embed(self, images: Tensor, tasks: None = None) -> Tensor:
        """The vectors of all images, of which this process makes its part."""
        assert self._shared is not None
        first, last = (len(images) * rank // self.size for rank in (self.rank, self.rank + 1))
        if len(images) < self.size:
            raise FairshotError(
                f"a step shows {len(images)} images at once, and {self.size} processes would share them: take fewer"
            )
        if self.rank:  # dropout must not be the same in every part
            torch.manual_seed(torch.initial_seed() + self.rank)
        own = self._shared(images[first:last])
        # Every process computes the whole loss, so that the sum has each gradient once for each of them, and
        # DistributedDataParallel divides by their number.
        return sum_of_all(nn.functional.pad(own, (0, 0, first, len(images) - last)))


class _Core(nn.Module):
    """The network as its class has it."""

    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.network = network

    def forward(self, images: Tensor) -> Tensor:
        found: Tensor = type(self.network).forward(self.network, images, None)
        return found


def rank_of_this() -> int:
    """The number of this process among those of its training."""
    return int(os.environ.get(RANK, "0")) if SIZE in os.environ else 0


@contextmanager
def joined_group() -> Iterator[Group]:
    """The group that this process was started in: by `train --processes`, or by torchrun."""
    size = int(os.environ.get(SIZE, "1"))
    if size == 1:
        yield Group()
        return
    if PARENT in os.environ:
        end_with(int(os.environ[PARENT]))
    own = not torch.distributed.is_initialized()
    if own:
        torch.distributed.init_process_group("gloo")
    try:
        yield Group(torch.distributed.get_rank(), torch.distributed.get_world_size())
    except RuntimeError as error:
        if "gloo" not in str(error) and "Connection" not in str(error):
            raise
        raise FairshotError(
            "another process of this training has ended: give the same command again, which goes on"
        ) from error
    finally:
        if own:
            torch.distributed.destroy_process_group()


@contextmanager
def other_processes(count: int, command: Sequence[str]) -> Iterator[None]:
    """Starts all processes of a training but this one, which is the first; they end with it."""
    if count == 1 or SIZE in os.environ:
        yield
        return
    threads = max(1, (os.cpu_count() or 1) // count)
    place = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(_free_port()), SIZE: str(count)}
    shared = {"OMP_NUM_THREADS": str(threads), **os.environ, **place, PARENT: str(os.getpid())}
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    words = [sys.executable, "-m", "fairshot", *command]
    others = [subprocess.Popen(words, env={**shared, RANK: str(rank)}, **quiet) for rank in range(1, count)]
    os.environ |= {**place, RANK: "0"}
    torch.set_num_threads(min(threads, torch.get_num_threads()))
    threading.Thread(target=_watch, args=(others,), daemon=True).start()
    try:
        yield
        for other in others:
            other.wait()
    finally:
        for other in others:
            other.kill()
        for name in (*place, RANK):
            del os.environ[name]


def _watch(others: Sequence[subprocess.Popen[bytes]]) -> None:
    """Ends this process where another one has failed, which it would wait for."""
    while all(other.poll() is None for other in others):
        time.sleep(1)
    if any(other.poll() not in (None, 0) for other in others):
        time.sleep(GRACE)
        say("another process of this training has ended: give the same command again, which goes on")
        os._exit(2)


def _free_port() -> int:
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        return int(place.getsockname()[1])


def refuse_shared(learner: Trainable, model: Model, plan: Plan) -> None:
    """Raises for a training that several processes cannot share."""
    if isinstance(learner, InnerLoop) or plan.statistics == "support":
        raise FairshotError(
            "every task has weights or statistics of its own here, which processes cannot share: leave out processes"
        )
    if any(isinstance(one, _BatchNorm) and not isinstance(one, Norm) for one in model.network.modules()):
        raise FairshotError(
            f"the batch norm of {type(model.network).__name__} would see a part of the images in each process: leave "
            "out processes"
        )
