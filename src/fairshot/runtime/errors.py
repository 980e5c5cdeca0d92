"""What goes wrong because of what was asked, said in one line."""

import difflib
from collections.abc import Iterable


class FairshotError(Exception):
    """A request that cannot be served: what was asked, what is there, what to do."""


def unknown(kind: str, name: str, known: Iterable[str]) -> FairshotError:
    """The error for a name nobody knows, with the nearest one that is known."""
    names = sorted(known)
    nearest = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    hint = f"did you mean '{nearest[0]}'?" if nearest else f"there are: {', '.join(names) or 'none'}"
    return FairshotError(f"unknown {kind} '{name}': {hint}")
