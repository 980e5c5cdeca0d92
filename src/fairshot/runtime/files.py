"""Files and folders that are either complete or not there."""

import contextlib
import errno
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from fairshot.runtime.errors import FairshotError, alternatives
from fairshot.runtime.locks import hold, locked_if_free

PAGES = (".html", ".htm")  # endings of a page that a browser opens
UNFINISHED, RESUMABLE, LOCK = ".unfinished-", ".resumable-", ".lock"
JOURNAL = "journal.txt"  # in a folder that can be taken up again: what was written so far
FORGOTTEN = 7 * 24 * 3600  # seconds after which nobody is expected to go on with what was interrupted
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
FULL_IN_WORDS = (("(os error 28)",), (" requested and ", " written"))  # of safetensors, of NumPy
_SWEPT: set[Path] = set()


def expand(path: str | Path) -> Path:
    """A path with ~ written out; where nobody has that home it leads nowhere, and is left for the caller to refuse.

    Ask `os.path.isdir` and its like about it: they say no to a name that is too long, where Path raises.
    """
    return Path(os.path.expanduser(path))


def files_below(folder: Path) -> Iterator[Path]:
    """Every file below a folder in the order of their paths, through links too; what may not be read is left out.

    So are pipes and devices, which would keep a reader waiting for ever.
    """
    return _walk(folder, frozenset())


def _walk(folder: Path, above: frozenset[str]) -> Iterator[Path]:
    real = os.path.realpath(folder)
    if real in above:  # a link back to where it hangs: a circle
        return
    try:
        names = sorted(os.listdir(folder))
    except PermissionError:
        return
    for path in (folder / name for name in names):
        if os.path.isdir(path):
            yield from _walk(path, above | {real})
        elif os.path.isfile(path) or not os.path.exists(path):  # a dead link is said where it is read
            yield path


def can_write(path: Path) -> bool:
    """Whether a file or folder of that name could be made, with all folders above it."""
    above = next(folder for folder in path.absolute().parents if os.path.exists(folder))
    return above.is_dir() and os.access(above, os.W_OK)


def require_ending(path: Path, endings: Sequence[str], form: str) -> Path:
    """The path, if its name ends like files of that form."""
    if path.suffix.lower() not in endings:
        raise FairshotError(f"{path} is not named like {form}: let it end in {alternatives(endings)}")
    return path


@contextmanager
def complete_file(path: Path) -> Iterator[Path]:
    """Yields a path beside `path` to write to, which takes its place only if nothing went wrong."""
    with _beside(path) as scratch:
        yield scratch / path.name
        if path.is_dir():
            raise FairshotError(f"cannot write {path}: a folder stands there; choose another place")
        os.replace(scratch / path.name, path)


@contextmanager
def complete_folder(path: Path) -> Iterator[Path]:
    """Yields an empty folder to fill, which becomes `path` only if nothing went wrong; the first to finish wins."""
    with _beside(path) as scratch:
        target = scratch / path.name
        target.mkdir()
        yield target
        try:
            target.rename(path)
        except OSError:
            if not path.is_dir():
                raise


def fill_folder(path: Path, fill: Callable[[Path], None]) -> None:
    """Lets `fill` fill a folder, which becomes `path` only if nothing went wrong; where it was killed, the next call
    gives it the same folder again as it was left. Of several processes one fills, and the others wait for it.
    """
    unfinished = path.parent / (RESUMABLE + path.name)
    with alone(path), _in_words(path):
        if path.is_dir():  # another process was faster
            return
        unfinished.mkdir(exist_ok=True)
        try:
            fill(unfinished)
        except Exception:  # not where somebody interrupts: that is a kill
            shutil.rmtree(unfinished, ignore_errors=True)
            raise
        unfinished.rename(path)


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Only one process at a time changes what is at a path; the others wait for it."""
    lock = _lock_of(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = hold(lock)
    except OSError as error:
        raise _no_place(path, error) from error
    try:
        yield
    finally:
        lock.unlink(missing_ok=True)  # whoever waits for it sees that it is gone, and makes another one
        os.close(handle)


def sweep(folder: Path) -> None:
    """Removes what processes that are gone left unfinished in a folder, once a process."""
    if folder in _SWEPT:
        return
    _SWEPT.add(folder)
    for path in [folder / entry.name for entry in _entries(folder)]:
        if path.name.startswith(UNFINISHED):
            _remove_unless_held(path, path / LOCK)
        elif path.name.startswith(RESUMABLE) and not _worth_keeping(path):
            _remove_unless_held(path, _lock_of(folder / path.name.removeprefix(RESUMABLE)))


@contextmanager
def scratch_file(folder: Path, name: str) -> Iterator[Path]:
    """Yields a path below a folder to write to, which is gone at the end."""
    with _beside(folder / name) as scratch:
        yield scratch / name


@contextmanager
def _beside(path: Path) -> Iterator[Path]:
    """A folder beside a path, locked as long as its process lives."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        sweep(path.parent)
        scratch, lock = _own_folder(path.parent)
    except OSError as error:
        raise _no_place(path, error) from error
    try:
        with _in_words(path):
            yield scratch
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
        os.close(lock)


def _own_folder(parent: Path) -> tuple[Path, int]:
    while True:
        scratch = Path(tempfile.mkdtemp(prefix=UNFINISHED, dir=parent))
        with contextlib.suppress(FileNotFoundError):  # another process took it for left over before it was locked
            return scratch, hold(scratch / LOCK)


def _remove_unless_held(path: Path, lock: Path) -> None:
    with locked_if_free(lock) as free:
        if free:
            shutil.rmtree(path, ignore_errors=True)
            lock.unlink(missing_ok=True)


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        return list(entries)
    return []


def _worth_keeping(folder: Path) -> bool:
    """Whether somebody may go on with what was interrupted: it can be taken up again, and is not too old."""
    with contextlib.suppress(OSError):
        last = max(os.stat(entry).st_mtime for entry in [folder, *_entries(folder)])
        return (folder / JOURNAL).exists() and time.time() - last < FORGOTTEN
    return True  # it is being written or removed


def _lock_of(path: Path) -> Path:
    return path.parent / f"{LOCK}-{path.name}"


@contextmanager
def _in_words(path: Path) -> Iterator[None]:
    """Whatever way a writer has to say that the disk is full, it is said in one line."""
    try:
        yield
    except Exception as error:
        if not disk_is_full(error):
            raise
        raise FairshotError(
            f"the disk is full: {path} was not written; make room there and give the same command again"
        ) from error


def take_room(handle: int, size: int) -> None:
    """Takes the room for a whole file on the disk, or raises while nothing depends on it."""
    if hasattr(os, "posix_fallocate"):
        try:
            os.posix_fallocate(handle, 0, size)
        except OSError as error:
            if disk_is_full(error):
                raise  # else it is a disk that knows nothing of this


def disk_is_full(error: BaseException) -> bool:
    """Whether an error means that the disk, or what a user may have of it, is full."""
    if isinstance(error, OSError) and error.errno is not None:
        return error.errno in FULL
    return any(all(word in str(error) for word in words) for words in FULL_IN_WORDS)


def _no_place(path: Path, error: OSError) -> FairshotError:
    return FairshotError(f"cannot write to {path.parent} ({error.strerror}): choose a folder you can write to")
