"""Numbers in sentences: no sign where nothing is left after rounding, and one image, but two images."""

IRREGULAR = {"class": "classes", "query": "queries", "guess": "guesses", "diagnosis": "diagnoses"}


def plain(value: float, digits: int = 1) -> str:
    """A number without "-0.0"."""
    return f"{value:z.{digits}f}"


def signed(value: float, digits: int = 1) -> str:
    """A number with its sign, unless it is rounded to nothing: `+3.1`, `-0.2`, `0.0`."""
    text = f"{value:+z.{digits}f}"
    return text if text.strip("+-0.") else text.lstrip("+-")


def percent(share: float, digits: int = 1) -> str:
    """A share in percent: `63.7%`."""
    return f"{plain(100 * share, digits)}%"


def at_level(level: float) -> str:
    """How sure an interval is: `95%`."""
    return f"{100 * level:.10g}%"


def percent_span(interval: tuple[float, float] | None) -> str:
    """Both ends of an interval of shares: `94.9–96.1`; a dash where there is none."""
    return "-" if interval is None else "–".join(plain(100 * end) for end in interval)


def points(difference: float, digits: int = 1) -> str:
    """A difference of two shares in points: `1.3`."""
    return plain(100 * difference, digits)


def signed_points(difference: float, digits: int = 1) -> str:
    """The same with its sign: `+1.3`."""
    return signed(100 * difference, digits)


def asked_points(difference: float) -> str:
    """A difference in points as somebody asked for it: `0.5`, `2`."""
    return f"{100 * difference:g}"


def rounded_points(difference: float, digits: int) -> float:
    """A difference in points as it would be printed, to decide by what a reader sees."""
    return round(100 * difference, digits)


def count_of(number: int, what: str) -> str:
    """`1 shot`, `2 shots`, `1,000 queries`, `2 original classes`."""
    return f"{number:,} {what if number == 1 else plural(what)}"


def plural(what: str) -> str:
    """`shots`, `original classes`: the last word stands for several."""
    before, space, last = what.rpartition(" ")
    return f"{before}{space}{IRREGULAR.get(last, f'{last}s')}"


def singular(what: str) -> str:
    """`episode`, `data set`: one of what several are."""
    regular = {several: one for one, several in IRREGULAR.items()}
    return regular.get(what, what.removesuffix("s"))


def listed(names: list[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
