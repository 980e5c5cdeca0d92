"""Tables of a study's own, on a terminal."""

from rich.console import Console

from fairshot.results.schema import Result
from fairshot.tables.render import to_text


def render_facts(result: Result, console: Console | None = None) -> None:
    """Every table with its notes."""
    console = console or Console(emoji=False)
    text = to_text(result.tables, width=console.width)
    if result.limited:
        text += f"This is not the whole study: {result.preset}.\n"
    console.print(text, markup=False, highlight=False, soft_wrap=True, end="")
