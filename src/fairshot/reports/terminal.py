"""Results as tables in the terminal: percent here, fractions everywhere else."""

from rich import box
from rich.console import Console
from rich.table import Table

from fairshot.runtime.result import Result, Row

MEANINGS = {"episodes": "more episodes of the same images, not other images or classes"}


def render_result(result: Result, console: Console | None = None) -> None:
    """One line for each task and learner, and below what the intervals speak about."""
    console = console or Console()
    published = any(row.published is not None for row in result.rows)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("task")
    table.add_column("learner", overflow="fold")
    table.add_column(f"{'/'.join(sorted({row.metric for row in result.rows}))}, %", justify="right")
    table.add_column("sampler 95%", justify="right", no_wrap=True)
    if published:
        table.add_column("published", justify="right")
    for task in dict.fromkeys(row.task for row in result.rows):
        rows = [row for row in result.rows if row.task == task]
        for row in rows:
            cells = [task if row is rows[0] else "", row.learner, *_numbers(row)]
            table.add_row(*cells[: 5 if published else 4], end_section=row is rows[-1])
    console.print(f"{result.source.name}, recipe {result.source.recipe}", markup=False)
    console.print(table)
    counts = sorted({row.episodes for row in result.rows})
    episodes = f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,}"
    lines = [f"{episodes} episodes, seed {result.seed}. Sampler: {MEANINGS['episodes']}."]
    lines += [f"Note: {note}." for note in result.notes]
    if result.preset not in (None, "paper"):
        lines.append(f"This is not the published setting: {result.preset}.")
    console.print("\n".join(lines), markup=False, highlight=False, soft_wrap=True)


def _numbers(row: Row) -> list[str]:
    interval = row.intervals.get("episodes")
    shown = f"{100 * interval[0]:.1f} to {100 * interval[1]:.1f}" if interval else "-"
    return [f"{100 * row.value:.2f}", shown, "" if row.published is None else f"{100 * row.published:.1f}"]
