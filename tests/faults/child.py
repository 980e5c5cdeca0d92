"""Work in a process of its own that can be killed at any moment, without a second start of Python and torch."""

import importlib
import os
import pkgutil
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch
import torch._dynamo  # an optimiser imports it: once here instead of once in every child

import fairshot
from fairshot.cli.main import main

CRASHED = 70  # the exit code of a child that raised
GIGABYTE = 1 << 30
OPTIONAL = ("fairshot.runtime.backends.ray",)


@dataclass(frozen=True)
class Ended:
    """How a child ended: its exit code, or the negative number of the signal that killed it."""

    code: int
    seconds: float
    said: str
    hung: bool = False

    @property
    def clean(self) -> bool:
        """Whether it did what was asked, or said in a line why not."""
        refused = self.code == 2 and self.said.rstrip().splitlines()[-1:] != []
        told = refused and any(line.startswith("fairshot: ") for line in self.said.splitlines())
        return not self.hung and "Traceback" not in self.said and (self.code in (0, 1) or told)


def warm_up() -> None:
    """Imports all of fairshot, so that children begin at once."""
    for module in pkgutil.walk_packages(fairshot.__path__, "fairshot."):
        if module.name not in OPTIONAL and "__main__" not in module.name:
            importlib.import_module(module.name)
    torch.set_num_threads(1)


def command(*words: str) -> Callable[[], int]:
    """A command of fairshot as work for a child."""

    def run() -> int:
        sys.argv = ["fairshot", *words]
        return main(words)

    return run


def start(work: Callable[[], object], log: Path, memory: int = 0) -> int:
    """Starts the work as a process group of its own, whose output goes to a file; with a limit of its memory."""
    child = os.fork()
    if child:
        return child
    try:
        os.setsid()
        out = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
        os.dup2(out, 1)
        os.dup2(out, 2)
        sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w")
        if memory:
            used = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
            resource.setrlimit(resource.RLIMIT_AS, (used + memory, used + memory))
        code = work()
    except BaseException:
        traceback.print_exc()
        code = CRASHED
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code if isinstance(code, int) else 0)


def end_of(child: int, log: Path, limit: float) -> Ended:
    """Waits for a child; one that takes longer is killed, and said to hang."""
    started = time.monotonic()
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        seconds = time.monotonic() - started
        if done:
            return Ended(os.waitstatus_to_exitcode(status), seconds, log.read_text(errors="replace"))
        if seconds > limit:
            kill(child)
            return Ended(-signal.SIGKILL, seconds, log.read_text(errors="replace"), hung=True)
        time.sleep(0.002)


def run(work: Callable[[], object], log: Path, limit: float = 300.0, memory: int = 0) -> Ended:
    """The work from its start to its end."""
    return end_of(start(work, log, memory), log, limit)


def kill(child: int) -> int:
    """Kills the process alone, as the kernel does, and not those that it started."""
    os.kill(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def left_behind(group: int, limit: float = 10.0) -> int:
    """How many processes of a group are still there after ten seconds."""
    started = time.monotonic()
    while (count := _members(group)) and time.monotonic() - started < limit:
        time.sleep(0.05)
    return count


def _members(group: int) -> int:
    found = 0
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                words = Path("/proc", entry, "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            found += int(words[3]) == group and words[0] != "Z"  # its session
    return found
