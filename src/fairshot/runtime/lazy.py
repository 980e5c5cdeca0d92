"""Names that a package offers and loads only when they are asked for, so that importing the package takes no time.

What people call is called from here, so it is here that functions get their arguments checked, and that those which
take long say how far they are.
"""

import importlib
import inspect
import sys
from collections.abc import Callable, Mapping
from functools import wraps
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
        found = with_progress(checked(found)) if inspect.isfunction(found) else found
        setattr(sys.modules[package], name, found)
        return found

    return load, lambda: sorted(places), sorted(places)


def with_progress(verb: Callable[..., Any]) -> Callable[..., Any]:
    """The same function; where it reports progress and is not told to whom, a bar or lines on standard error show it.

    They appear after two seconds, as on the command line.
    """
    if "progress" not in inspect.signature(verb).parameters:
        return verb

    @wraps(verb)
    def call(*given: Any, **named: Any) -> Any:
        if "progress" in named:
            return verb(*given, **named)
        with importlib.import_module("fairshot.reports.progress").progress_bar("done") as progress:
            return verb(*given, **named, progress=progress)

    return call
