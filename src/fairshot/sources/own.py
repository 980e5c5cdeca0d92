"""Data of somebody's own: `path.py:name`, an object in a Python file, or a function that needs settings at most."""

import inspect

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.grammar.name import Code
from fairshot.runtime.user_file import as_a_guest, load_from_file, own_settings
from fairshot.sources.array import as_source
from fairshot.sources.source import Source


def open_own_source(code: Code) -> Source:
    """The data that a file has under a name: a Source, (X, y), a mapping with X and y, or a data frame."""
    target, _ = load_from_file(code)
    settings = own_settings(target, code)
    if inspect.isfunction(target) or isinstance(target, type):
        try:
            with as_a_guest():
                target = target(**settings)
        except FairshotError:
            raise
        except Exception as error:
            more = "other arguments" if settings else "arguments"
            raise FairshotError(f"{code} cannot be called without {more} ({type(error).__name__}: {error})") from error
    try:
        return as_source(target, name=code.name)
    except FairshotError as error:
        raise FairshotError(f"{code}: {error}") from error
