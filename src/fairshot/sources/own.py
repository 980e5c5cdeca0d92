"""Somebody's own data: `path.py:name` in their own Python file, a function without arguments or an object."""

import inspect

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.user_file import as_a_guest, load_from_file
from fairshot.sources.array import as_source
from fairshot.sources.source import Source


def is_own_source(spec: str) -> bool:
    """Whether a word names something in a Python file."""
    return spec.partition(":")[0].endswith(".py") and ":" in spec


def open_own_source(spec: str) -> Source:
    """The data that a file has under a name: a Source, (X, y), a mapping with X and y, or a data frame."""
    target, _ = load_from_file(spec)
    name = spec.rpartition(":")[2]
    if inspect.isfunction(target) or isinstance(target, type):
        try:
            with as_a_guest():
                target = target()
        except FairshotError:
            raise
        except Exception as error:
            raise FairshotError(
                f"{spec} cannot be called without arguments ({type(error).__name__}: {error})"
            ) from error
    try:
        return as_source(target, name=name)
    except FairshotError as error:
        raise FairshotError(f"{spec}: {error}") from error
