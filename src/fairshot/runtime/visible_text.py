"""Names as they can be shown anywhere: what would move a cursor, ring a bell or reverse a line is written out."""

import unicodedata

HIDDEN = ("Cc", "Cf", "Cs", "Zl", "Zp")  # control, formatting (of direction, too), half characters, line ends


def visible(text: str) -> str:
    r"""The text with every invisible or controlling character as an escape such as `\x1b` or `\u202e`."""
    return "".join(escape(letter) if unicodedata.category(letter) in HIDDEN else letter for letter in text)


def escape(letter: str) -> str:
    r"""One character as Python writes it: `\n`, `\x1b`, `\u202e`."""
    return letter.encode("unicode_escape").decode("ascii")
