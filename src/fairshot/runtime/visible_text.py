"""Names as they can be shown anywhere: what would move a cursor, ring a bell or reverse a line is written out."""

import os
import unicodedata

FORMULA = ("=", "+", "-", "@")
HIDDEN = ("Cc", "Cf", "Cs", "Zl", "Zp")  # control, formatting (of direction, too), half characters, line ends


def readable(name: str) -> str:
    r"""The name of a file as text that can be written anywhere: bytes that are no UTF-8 as escapes such as `\xff`."""
    return os.fsencode(name).decode("utf-8", "backslashreplace") if not name.isascii() else name


def spreadsheet_text(text: str) -> str:
    """Text for a cell of a table in CSV, which no spreadsheet takes for a formula that it should run."""
    shown = visible(text)
    return f"'{shown}" if shown.lstrip().startswith(FORMULA) else shown


def visible(text: str) -> str:
    r"""The text with every invisible or controlling character as an escape such as `\x1b` or `\u202e`."""
    return "".join(escape(letter) if unicodedata.category(letter) in HIDDEN else letter for letter in text)


def escape(letter: str) -> str:
    r"""One character as Python writes it: `\n`, `\x1b`, `\u202e`."""
    return letter.encode("unicode_escape").decode("ascii")
