"""What goes wrong because of what was asked, said in one line."""

import difflib
from collections.abc import Iterable, Sequence
from typing import Any

from fairshot.runtime.visible_text import visible

MOST = 50  # names that are all told
LONGEST = 60  # signs of a value that are quoted


class FairshotError(Exception):
    """A request that cannot be served: what was asked, what is there, what to do."""

    def __str__(self) -> str:
        """The message in one line, where nothing that a file or a name holds can move the cursor."""
        return visible(super().__str__().replace("\n", " "))


def unreadable(text: str, *forms: str) -> FairshotError:
    """The error for a text that has none of the forms that can be read."""
    *others, last = forms
    return FairshotError(f"cannot read '{text}': write {', '.join(others)} or {last}")


def unknown(kind: str, name: object, known: Iterable[str]) -> FairshotError:
    """The error for a name nobody knows, with the nearest one that is known."""
    name, names = str(name), sorted(known)
    nearest = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    some = ", ".join(names) if len(names) <= MOST else f"{', '.join(names[:3])} and {len(names) - 3:,} more"
    hint = f"did you mean '{nearest[0]}'?" if nearest else f"there are: {some or 'none'}"
    return FairshotError(f"unknown {kind} '{name}': {hint}")


def shown(value: Any) -> str:
    """A value as a message names it: numbers and text as they are, anything else by its kind, classes by their name."""
    if isinstance(value, type):
        return with_article(value.__name__)
    if value is None or isinstance(value, bool | int | float):
        return repr(value)
    if isinstance(value, str):
        return repr(value) if len(value) <= LONGEST else f"{value[:LONGEST]!r} ..."
    return kind_of(value)


def kind_of(value: Any) -> str:
    """The type of a value with its article: an int, a tuple, an array."""
    if isinstance(value, type):
        return f"the class {value.__name__}"
    return "None" if value is None else with_article(type(value).__name__.removeprefix("nd"))


def with_article(word: str) -> str:
    """`a tuple`, `an int`."""
    vowel = word[:1].lower() in tuple("aeiou") and not word.lower().startswith("uni")
    return f"{'an' if vowel else 'a'} {word}"


def alternatives(words: Sequence[str]) -> str:
    """`a, b or c`."""
    return " or ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))
