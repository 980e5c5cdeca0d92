"""Lists of words, paths and numbers: `a,b`, `X.npy,y.npy` and `1,5,10`."""

from fairshot.runtime.errors import FairshotError


def parse_words(text: str) -> list[str]:
    """`a,b` as a list."""
    return [word for word in text.split(",") if word]


def parse_paths(text: str) -> list[str]:
    """`X.npy,y.npy` as a list; a path that is missing stays missing, so that the others keep their places."""
    return text.split(",")


def parse_count(text: str) -> int:
    """`1_000` as a number."""
    try:
        return int(text.replace("_", ""))
    except ValueError as error:
        raise FairshotError(f"'{text}' is not a whole number") from error


def parse_counts(text: str) -> list[int]:
    """`1,5,10` as numbers."""
    if not parse_words(text):
        raise FairshotError(f"'{text}' holds no number")
    return [parse_count(word) for word in parse_words(text)]
