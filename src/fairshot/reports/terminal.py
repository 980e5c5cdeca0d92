"""Results on a terminal."""

from rich.console import Console

from fairshot.reports.evaluations import evaluation_tables, explanations, fixed_lists
from fairshot.results.populations import FIXED_LIST, POPULATIONS
from fairshot.results.schema import Result
from fairshot.runtime.words import plain
from fairshot.tables.render import to_text

__all__ = ["FIXED", "HEADINGS", "explanations", "fixed_lists", "percent", "render_result"]
HEADINGS = {name: (population.heading, population.about) for name, population in POPULATIONS.items()}
FIXED = (FIXED_LIST.heading, FIXED_LIST.about)


def render_result(result: Result, console: Console | None = None) -> None:
    """A table for each task with a line for each learner, and below what the intervals are for."""
    console = console or Console(emoji=False)
    text = to_text(evaluation_tables(result), width=console.width)
    console.print(text, markup=False, highlight=False, soft_wrap=True)


def percent(interval: tuple[float, float] | None) -> str:
    """Both ends of an interval."""
    return "-" if interval is None else "–".join(plain(100 * end) for end in interval)
