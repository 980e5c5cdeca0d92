"""Names that a package offers and loads only when they are asked for, so that importing the package takes no time.

What people call is called from here, so it is here that functions get their arguments checked.
"""

import importlib
import inspect
import sys
from collections.abc import Callable, Mapping
from typing import Any

from fairshot.runtime.arguments import checked


def lazy_names(
    package: str, places: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """`__getattr__`, `__dir__` and `__all__` of a package whose names stand elsewhere.

    A place is a module, whose own name is then the name, or `module:attribute`.
    """

    def load(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"{package} has no '{name}'; it has: {', '.join(sorted(places))}")
        module, _, attribute = places[name].partition(":")
        loaded = importlib.import_module(module)
        found = getattr(loaded, attribute) if attribute else loaded
        found = checked(found) if inspect.isfunction(found) else found
        setattr(sys.modules[package], name, found)
        return found

    return load, lambda: sorted(places), sorted(places)
