"""Locks between processes: a file that one of them holds. A process that dies, however it dies, lets go of it.

Locks are those of the operating system (`flock`). Network disks have them too, unless they are mounted without locks
or with locks of one machine alone (`nolock`, `local_lock`): there only one machine at a time may write to a folder.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # a system without such locks: only one command at a time may write to a folder
    fcntl = None  # type: ignore[assignment]


def hold(file: Path) -> int:
    """Makes a file and locks it until the handle is closed."""
    while True:
        handle = os.open(file, os.O_RDWR | os.O_CREAT, 0o666)
        if fcntl is not None:
            with suppress(OSError):  # a disk without locks
                fcntl.flock(handle, fcntl.LOCK_EX)
        if _is_there(handle, file):
            return handle
        os.close(handle)


@contextmanager
def locked_if_free(file: Path) -> Iterator[bool]:
    """Whether nobody holds the file, which nobody else can hold meanwhile; no where that cannot be known."""
    if fcntl is None:
        yield False
        return
    try:
        handle = os.open(file, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError:
        yield False
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        free = _is_there(handle, file)
    except OSError:
        free = False
    try:
        yield free
    finally:
        os.close(handle)


def _is_there(handle: int, file: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), os.stat(file))
    except FileNotFoundError:
        return False
