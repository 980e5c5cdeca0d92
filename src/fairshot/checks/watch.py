"""A watch over what a learner reaches for while it answers: files it reads, programs it starts, hosts it connects to.

Python reports these to an audit hook. A hook cannot be taken away again, so there is one for the whole process, which
does nothing while no learner is being watched.
"""

import errno
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

from jaxtyping import Float
from torch import Tensor

import fairshot
from fairshot.learners.learner import Classifier, TaskBatch
from fairshot.learners.wrapper import Wrapper

CODE = (".py", ".pyc", ".so", ".pyd", ".dll", ".dylib")  # what an import opens
SYSTEM = ("/proc", "/sys", "/dev", "/etc", "/usr/lib", "/usr/share")
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

_active: tuple["Watch", ...] = ()
_lock = Lock()
OF_THE_MACHINE = ("lscpu", "sysctl", "nproc")  # programs that libraries ask how many cores there are


class Watch:
    """What was reached for, each thing once and in order; what is hidden cannot be reached."""

    def __init__(self) -> None:
        self.files: dict[str, None] = {}
        self.programs: dict[str, None] = {}
        self.hosts: dict[str, None] = {}
        self.hidden: frozenset[str] = frozenset()
        self._own: set[str] = set()

    @property
    def reached(self) -> tuple[str, ...]:
        """All files, programs and hosts, by name."""
        return (*self.files, *self.programs, *self.hosts)

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Inside, whatever any thread of this process reaches for is noticed; it may be entered several times."""
        global _active
        _install()
        with _lock:
            _active = (*_active, self)
        try:
            yield
        finally:
            with _lock:
                rest = list(_active)
                rest.remove(self)
                _active = tuple(rest)

    def notice(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Takes note of one event that Python reports."""
        if event == "open":
            self._notice_file(*arguments[:3])
        elif event == "sqlite3.connect":
            self._notice_file(arguments[0], "r", 0)
        elif event in ("subprocess.Popen", "os.system", "os.posix_spawn", "os.exec"):
            self._notice_program(os.fsdecode(arguments[0]))
        elif event == "socket.connect" and isinstance(arguments[1], tuple):
            self._keep(self.hosts, f"{arguments[1][0]}:{arguments[1][1]}", ConnectionRefusedError)

    def _notice_file(self, given: Any, mode: Any, flags: Any) -> None:
        if not isinstance(given, str | bytes | os.PathLike):
            return  # a descriptor of a file that was opened before
        path = os.path.realpath(os.fsdecode(given))
        if _writes(mode, flags):
            if not os.path.exists(path) or "w" in str(mode):
                self._own.add(path)  # what it made itself it may read again
        elif path not in self._own and not _usual(path):
            self._keep(self.files, path, FileNotFoundError)

    def _notice_program(self, command: str) -> None:
        own, name = Path(sys.executable).resolve(), Path(command.split()[0] if command.split() else "").name
        if Path(command).resolve() != own and name and name not in OF_THE_MACHINE:
            self._keep(self.programs, command.split()[0], FileNotFoundError)

    def _keep(self, known: dict[str, None], name: str, missing: Callable[[int, str, str], OSError]) -> None:
        known[name] = None
        if name in self.hidden:
            raise missing(errno.ENOENT, "hidden by a check", name)


@dataclass(frozen=True)
class Watched(Wrapper):
    """A learner that is watched while it works."""

    learner: Classifier
    watch: Watch

    @property
    def inner(self) -> Classifier:
        """The learner."""
        return self.learner

    @property
    def reads(self) -> str:  # type: ignore[override]
        """What the learner can be given."""
        return self.learner.reads

    def embed(self, images: Float[Tensor, "image ..."]) -> Float[Tensor, "image ..."]:
        """What the learner makes of images, while it is watched."""
        with self.watch.watching():
            return self.learner.embed(images)

    def classify(self, batch: TaskBatch) -> Float[Tensor, "episode query way"]:
        """What the learner answers, while it is watched."""
        with self.watch.watching():
            return self.learner.classify(batch)


@cache
def _install() -> None:
    sys.addaudithook(_hook)


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    for watch in _active:
        watch.notice(event, arguments)


def _writes(mode: Any, flags: Any) -> bool:
    if mode is None:
        return bool((flags or 0) & WRITING)
    return any(letter in mode for letter in "wax+")


@cache
def installed() -> tuple[str, ...]:
    """Where Python, its packages and fairshot itself lie."""
    places = {sys.prefix, sys.base_prefix, *(path for path in sys.path if path.endswith("-packages"))}
    places |= {os.path.dirname(os.__file__), os.path.dirname(fairshot.__file__)}
    return tuple(os.path.realpath(place) for place in places)


def _usual(path: str) -> bool:
    """What any program may open: code, packages, the system, folders."""
    if path.endswith(CODE) or os.path.isdir(path):
        return True
    return any(path == place or path.startswith(place + os.sep) for place in (*installed(), *SYSTEM))
