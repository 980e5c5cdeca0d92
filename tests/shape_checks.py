"""Types and shapes are checked while tests run, in the first calls of every function in every test.

jaxtyping's import hook wraps every function of fairshot for beartype. Functions that are called a million times, as when
glyphs are drawn, would take three times as long, and most functions are never called in a process at all. So a
function is wrapped when it is first called, and after some calls in one test the bare function is called.
"""

import dataclasses
import functools
import inspect
from collections.abc import Callable
from typing import Any

import jaxtyping

CALLS = 20
CHECK = jaxtyping.jaxtyped
Check = Callable[[Any], Any]


class Now:
    """Which test is running."""

    test = 0


def jaxtyped(*, typechecker: Check) -> Check:
    """What the import hook asks for: a decorator of functions and classes."""
    return functools.partial(spared, check=functools.partial(CHECK, typechecker=typechecker))


def spared(what: Any, *, check: Check) -> Any:
    """A function, or a data class with its `__init__`, that is checked in a part of its calls."""
    if inspect.isfunction(what):
        return _spared_function(what, check)
    if dataclasses.is_dataclass(what) and "__init__" in vars(what) and what.__init__.__globals__ is not globals():
        what.__init__ = _spared_function(what.__init__, check)
        return what
    return check(what) if not inspect.isclass(what) else what


def _spared_function(function: Callable[..., Any], check: Check) -> Callable[..., Any]:
    checked, test, left = None, -1, 0

    @functools.wraps(function)
    def call(*args: Any, **settings: Any) -> Any:
        nonlocal checked, test, left
        if test != Now.test:
            test, left = Now.test, CALLS
        if not left:
            return function(*args, **settings)
        left -= 1
        if checked is None:
            checked = check(function)
        return checked(*args, **settings)

    # To whoever asks which code called, it stands where the code of beartype stands.
    call.__code__ = call.__code__.replace(co_filename="<@beartype(tests/shape_checks.py)>")
    return call


def install() -> None:
    """Before anything of fairshot is imported."""
    jaxtyping.jaxtyped = jaxtyped
