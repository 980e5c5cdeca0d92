"""What a user's own Python file has under a name: `path.py:name`, with settings `path.py:name:setting=value`."""

import hashlib
import importlib.util
import inspect
import os
import sys
from collections.abc import Iterator
from contextlib import chdir, contextmanager, redirect_stdout, suppress
from functools import partial
from typing import Any

from fairshot.runtime.errors import FairshotError, unknown
from fairshot.runtime.files import expand
from fairshot.runtime.grammar.name import Code
from fairshot.runtime.grammar.settings import join_settings, parameters, type_settings


@contextmanager
def as_a_guest() -> Iterator[None]:
    """Around a user's own code: what it prints is no part of a result, and where it goes nobody else goes."""
    with chdir("."), _all_to_stderr(), redirect_stdout(sys.stderr):
        yield


@contextmanager
def failures_said(what: str) -> Iterator[None]:
    """Around a user's own code: whatever it raises, the end of the program too, is one line that begins with `what`."""
    try:
        yield
    except FairshotError:
        raise
    except (Exception, SystemExit) as error:
        raise FairshotError(f"{what} ({type(error).__name__}: {' '.join(str(error).split())})") from error


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


def load_from_file(code: Code) -> tuple[Any, str]:
    """What a file has under a name, and the hash of the file."""
    path, name = code.file, code.name
    file = expand(path)
    if file.suffix != ".py" or not os.path.isfile(file):
        raise FairshotError(f"there is no file {path}: write path.py:name")
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


def own_settings(target: Any, code: Code) -> dict[str, Any]:
    """The settings of a spec as a class or a function of somebody's own takes them; an object takes none."""
    if not code.settings:
        return {}
    if not isinstance(target, type) and not inspect.isroutine(target):
        raise FairshotError(
            f"{code.place} is an object, a {type(target).__name__}, which takes no settings: leave out "
            f"{join_settings(code.settings)}, or name its class"
        )
    return type_settings(code.settings, parameters(target), code.place)


def make_own(target: Any, code: Code | str) -> Any:
    """What a class of somebody's own makes with its settings; a function gets them as keywords, an object is itself.

    What came from no file has a name, and no settings.
    """
    settings = own_settings(target, code) if isinstance(code, Code) else {}
    if not isinstance(target, type):
        return partial(target, **settings) if settings else target
    try:
        with as_a_guest():
            return target(**settings)
    except FairshotError:
        raise
    except (Exception, SystemExit) as error:
        raise not_made(code, error) from error


def not_made(code: Code | str, error: BaseException) -> FairshotError:
    """The error for a class or function that asks for more than it was given."""
    more = "other arguments" if isinstance(code, Code) and code.settings else "arguments"
    return FairshotError(f"{code} cannot be made without {more} ({type(error).__name__}: {error})")
