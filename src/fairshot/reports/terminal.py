"""Results as tables in the terminal: percent here, fractions everywhere else."""

from rich import box
from rich.console import Console
from rich.table import Table

from fairshot.runtime.result import Result, Row

POPULATIONS = {"episodes": "the sampler alone (more episodes of the same images), not for other images or classes"}


def render_result(result: Result, console: Console | None = None) -> None:
    """Learners as rows, tasks as columns, and below what the brackets mean."""
    console = console or Console()
    metrics = sorted({row.metric for row in result.rows})
    table = Table(
        box=box.SIMPLE_HEAD,
        title=f"{result.source.name} ({result.source.recipe}), {', '.join(metrics)} in %",
        title_justify="left",
    )
    tasks = list(dict.fromkeys(row.task for row in result.rows))
    published = any(row.published is not None for row in result.rows)
    table.add_column("learner", no_wrap=True)
    for task in tasks:
        table.add_column(task, justify="right")
        if published:
            table.add_column("published", justify="right")
    for learner in dict.fromkeys(row.learner for row in result.rows):
        cells = {row.task: row for row in result.rows if row.learner == learner}
        texts = [text for task in tasks for text in _texts(cells.get(task), published)]
        table.add_row(learner, *texts)
    console.print(table)
    counts = sorted({row.episodes for row in result.rows})
    episodes = f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,}"
    console.print(
        f"{episodes} episodes, seed {result.seed}. [bracketed] 95% interval for {POPULATIONS['episodes']}.",
        markup=False,
        soft_wrap=True,
    )
    for note in [*result.notes, *([result.preset] if result.preset and result.preset != "paper" else [])]:
        console.print(f"Note: {note}.", markup=False, soft_wrap=True)


def _texts(row: Row | None, published: bool) -> list[str]:
    if row is None:
        return ["", ""] if published else [""]
    interval = row.intervals.get("episodes")
    brackets = f" [{100 * interval[0]:.1f}, {100 * interval[1]:.1f}]" if interval else ""
    own = f"{100 * row.value:.2f}" if row.scores else f"{100 * row.value:.1f}"
    shown = [f"{own}{brackets}".replace("[", r"\[")]
    return [*shown, "" if row.published is None else f"{100 * row.published:.1f}"] if published else shown
