"""What a user's own Python file has under a name: `path.py:name`."""

import hashlib
import importlib.util
import os
import sys
from collections.abc import Iterator
from contextlib import chdir, contextmanager, redirect_stdout, suppress
from typing import Any

from fairshot.runtime.errors import FairshotError, unknown
from fairshot.runtime.files import expand


@contextmanager
def as_a_guest() -> Iterator[None]:
    """Around a user's own code: what it prints is no part of a result, and where it goes nobody else goes."""
    with chdir("."), _all_to_stderr(), redirect_stdout(sys.stderr):
        yield


@contextmanager
def _all_to_stderr() -> Iterator[None]:
    """The descriptor itself: programs that are run, and libraries in C, know nothing of sys.stdout."""
    _flush()
    kept = None
    with suppress(OSError), open(os.devnull, "w") as nowhere:  # a closed stdout needs no care
        kept = os.dup(1)
        os.dup2(nowhere.fileno() if sys.__stderr__ is None else 2, 1)
    try:
        yield
    finally:
        _flush()
        if kept is not None:
            os.dup2(kept, 1)
            os.close(kept)


def _flush() -> None:
    for stream in (sys.stdout, sys.__stdout__):
        if stream is not None and not stream.closed:
            stream.flush()


def load_from_file(spec: str) -> tuple[Any, str]:
    """What a file has under a name, `path.py:name`, and the hash of the file."""
    path, _, name = spec.rpartition(":")
    file = expand(path)
    if file.suffix != ".py" or not os.path.isfile(file):
        raise FairshotError(f"there is no file {path or spec}: write path.py:name")
    module_name = f"fairshot_user_{file.stem}"
    module_spec = importlib.util.spec_from_file_location(module_name, file)
    assert module_spec is not None
    assert module_spec.loader is not None
    module = sys.modules[module_name] = importlib.util.module_from_spec(module_spec)
    sys.path.insert(0, str(file.resolve().parent))  # as if the file were run: it may import its neighbours
    try:
        with as_a_guest():
            module_spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise FairshotError(f"{path} cannot be imported ({type(error).__name__}: {error})") from error
    finally:
        sys.path.pop(0)
        del sys.modules[module_name]  # other processes cannot import it, so it must be shipped to them by value
    if not hasattr(module, name):
        raise unknown(f"name in {path}", name, [key for key in vars(module) if not key.startswith("_")])
    return getattr(module, name), hashlib.sha256(file.read_bytes()).hexdigest()
