"""Files and folders that are either complete or not there."""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from fairshot.runtime.errors import FairshotError, alternatives

PAGES = (".html", ".htm")  # endings of a page that a browser opens


def expand(path: str | Path) -> Path:
    """A path with ~ written out; where nobody has that home it leads nowhere, and is left for the caller to refuse.

    Ask `os.path.isdir` and its like about it: they say no to a name that is too long, where Path raises.
    """
    return Path(os.path.expanduser(path))


def files_below(folder: Path) -> Iterator[Path]:
    """Every file below a folder in the order of their paths, through links too; what may not be read is left out."""
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
        else:
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
    unfinished = path.parent / f".unfinished-{path.name}"
    with _alone(unfinished):
        if path.is_dir():  # another process was faster
            return
        try:
            fill(unfinished)
        except Exception:  # not where somebody interrupts: that is a kill
            shutil.rmtree(unfinished, ignore_errors=True)
            raise
        unfinished.rename(path)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Makes a folder and holds its lock, where there are locks; a process that dies lets go of it."""
    try:
        import fcntl
    except ImportError:
        folder.mkdir(parents=True, exist_ok=True)
        yield
        return
    handle = _locked(folder, lambda handle: fcntl.flock(handle, fcntl.LOCK_EX))
    try:
        yield
    finally:
        os.close(handle)


def _locked(folder: Path, lock: Callable[[int], None]) -> int:
    """The handle of a folder that is locked and still there: whoever had the lock may have given up, and its folder."""
    while True:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            handle = os.open(folder, os.O_RDONLY)
        except OSError as error:
            raise _no_place(folder, error) from error
        with contextlib.suppress(OSError):  # some network disks have no locks
            lock(handle)
        if not folder.exists() or os.path.samestat(os.fstat(handle), os.stat(folder)):
            return handle
        os.close(handle)


@contextmanager
def scratch_file(folder: Path, name: str) -> Iterator[Path]:
    """Yields a path below a folder to write to, which is gone at the end."""
    with _beside(folder / name) as scratch:
        yield scratch / name


@contextmanager
def _beside(path: Path) -> Iterator[Path]:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix=".unfinished-", dir=path.parent))
    except OSError as error:
        raise _no_place(path, error) from error
    try:
        yield scratch
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _no_place(path: Path, error: OSError) -> FairshotError:
    return FairshotError(f"cannot write to {path.parent} ({error.strerror}): choose a folder you can write to")
