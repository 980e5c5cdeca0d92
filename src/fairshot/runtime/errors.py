"""What goes wrong because of what was asked, said in one line."""

import difflib
from collections.abc import Iterable

MOST = 50  # names that are all told


class FairshotError(Exception):
    """A request that cannot be served: what was asked, what is there, what to do."""


def unknown(kind: str, name: object, known: Iterable[str]) -> FairshotError:
    """The error for a name nobody knows, with the nearest one that is known."""
    name, names = str(name), sorted(known)
    nearest = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    some = ", ".join(names) if len(names) <= MOST else f"{', '.join(names[:3])} and {len(names) - 3:,} more"
    hint = f"did you mean '{nearest[0]}'?" if nearest else f"there are: {some or 'none'}"
    return FairshotError(f"unknown {kind} '{name}': {hint}")
