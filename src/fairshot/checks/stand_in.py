"""Other functions in the place of Python's own, wherever a module has them under a name of its own."""

import gc
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any


@contextmanager
def substituted(substitutes: Mapping[Any, Any]) -> Iterator[None]:
    """Inside, every module has the substitutes; also those that took the originals with `from time import time`.

    What is kept elsewhere, as a default argument or an attribute of an object, stays what it is.
    """
    by_number = {id(original): (original, substitute) for original, substitute in substitutes.items()}
    changed: list[tuple[dict[str, Any], str, Any]] = []
    for space in _namespaces(substitutes):
        for name, value in list(space.items()):
            if id(value) in by_number and not name.startswith("__"):
                changed.append((space, name, value))
    try:
        for space, name, value in changed:
            space[name] = by_number[id(value)][1]
        yield
    finally:
        for space, name, value in changed:
            space[name] = value


def _namespaces(originals: Mapping[Any, Any]) -> list[dict[str, Any]]:
    """Those of modules, also of files that are no longer listed, if they refer to an original."""
    listed = {id(vars(module)) for module in list(sys.modules.values()) if hasattr(module, "__dict__")}
    spaces = [space for space in gc.get_referrers(*originals) if isinstance(space, dict)]
    return [space for space in spaces if id(space) in listed or "__builtins__" in space]
