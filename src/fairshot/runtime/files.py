"""Files and folders that are either complete or not there."""

import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
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


@contextmanager
def _beside(path: Path) -> Iterator[Path]:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix=".unfinished-", dir=path.parent))
    except OSError as error:
        raise FairshotError(
            f"cannot write to {path.parent} ({error.strerror}): choose a folder you can write to"
        ) from error
    try:
        yield scratch
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
