"""Numbers as sentences tell them: no sign where nothing is left after rounding, and one image, but two images."""

IRREGULAR = {"class": "classes", "query": "queries", "guess": "guesses"}


def plain(value: float, digits: int = 1) -> str:
    """A number without "-0.0"."""
    return f"{value:z.{digits}f}"


def signed(value: float, digits: int = 1) -> str:
    """A number with its sign, unless it is rounded to nothing: `+3.1`, `-0.2`, `0.0`."""
    text = f"{value:+z.{digits}f}"
    return text if text.strip("+-0.") else text.lstrip("+-")


def count_of(number: int, what: str) -> str:
    """`1 shot`, `2 shots`, `1,000 queries`."""
    return f"{number:,} {what if number == 1 else IRREGULAR.get(what, f'{what}s')}"


def listed(names: list[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
