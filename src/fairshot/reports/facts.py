"""Tables of a study's own, on a terminal and in Markdown."""

from rich import box
from rich.console import Console
from rich.table import Table

from fairshot.results.schema import Facts, Result


def render_facts(result: Result, console: Console | None = None) -> None:
    """Every table with its note."""
    console = console or Console(emoji=False)
    for facts in result.facts:
        console.print(f"\n{facts.title}", markup=False, highlight=False, style="bold")
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for number, column in enumerate(facts.columns):
            table.add_column(column, justify="right" if number else "left", overflow="fold")
        for row in facts.rows:
            table.add_row(*(cell.replace("[", r"\[") for cell in row))
        console.print(table)
        if facts.note:
            console.print(facts.note, markup=False, highlight=False, soft_wrap=True)
    if result.limited:
        console.print(f"This is not the whole study: {result.preset}.", markup=False, highlight=False)


def markdown(facts: Facts) -> str:
    """As a table in a page."""
    lines = ["| " + " | ".join(facts.columns) + " |", "|---" * len(facts.columns) + "|"]
    lines += ["| " + " | ".join(row) + " |" for row in facts.rows]
    return "\n".join(lines + (["", facts.note] if facts.note else [])) + "\n"
