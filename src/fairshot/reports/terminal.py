"""Results as tables in the terminal: percent here, fractions everywhere else."""

from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table

from fairshot.reports.curve import render_curves
from fairshot.runtime.result import Result, Row

OF_RUNS = ("runs", "runs and classes")  # said below the table, of the one row that has them
MOST_REASONS = 4  # why intervals are missing, before it is cut short
HEADINGS = {
    "images": ("new images", "other images of these classes"),
    "classes": ("new classes", "other classes of this kind, images too"),
    "parents": ("new parents", "other parents, classes and images too"),
    "values": ("new values", "other values of the task's attribute (other drawers), images too"),
    "runs": ("new runs", "other training runs, on the same classes and images"),
    "runs and classes": ("new runs + classes", "other training runs and other classes at once"),
    "seeds": ("new seeds", "other random numbers of the learner, on the same classes and images"),
    "episodes": ("sampler", "more episodes of the same images, which is what papers print"),
    "quadrature": ("as published", "of a ratio, as if both of its accuracies erred independently"),
}


def render_result(result: Result, console: Console | None = None) -> None:
    """A table for each task with a line for each learner, and below what the intervals speak about."""
    console = console or Console(emoji=False)
    console.print(f"{result.source.name}, recipe {result.source.recipe}, in percent", markup=False)
    for task, metric in dict.fromkeys((row.task, row.metric) for row in result.rows):
        rows = [row for row in result.rows if (row.task, row.metric) == (task, metric)]
        console.print()
        console.print(
            f"{task}, {max(row.episodes for row in rows):,} episodes", markup=False, highlight=False, style="bold"
        )
        console.print(_table(rows))
    console.print("\n".join(explanations(result)), markup=False, highlight=False, soft_wrap=True)
    render_curves(result.shots, console)


def _table(rows: Sequence[Row]) -> Table:
    populations = [name for name in HEADINGS if name not in OF_RUNS and any(name in row.intervals for row in rows)]
    published = any(row.published is not None for row in rows)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("learner", overflow="fold", min_width=12)
    table.add_column(rows[0].metric, justify="right", no_wrap=True)
    for name in populations:
        table.add_column(HEADINGS[name][0], justify="right", no_wrap=True)
    if published:
        table.add_column("published", justify="right")
    for row in rows:
        value = "N/A" if row.value is None else f"{100 * row.value:.2f}"
        cells = [row.learner, value, *(percent(row.intervals.get(name)) for name in populations)]
        if published:
            cells.append("" if row.published is None else f"{100 * row.published:.1f}")
        table.add_row(*cells)
    return table


def percent(interval: tuple[float, float] | None) -> str:
    """Both ends of an interval."""
    return "-" if interval is None else f"{100 * interval[0]:.1f}–{100 * interval[1]:.1f}"


def explanations(result: Result) -> list[str]:
    """What the intervals speak about, why some are missing, and all notes."""
    shown = [name for name in HEADINGS if any(name in row.intervals for row in result.rows)]
    lines = ["95% intervals. " + " ".join(f"{HEADINGS[n][0].capitalize()}: {HEADINGS[n][1]}." for n in shown)]
    for row in result.rows:
        told = [f"{HEADINGS[name][0]} {percent(row.intervals[name])}" for name in OF_RUNS if row.intervals.get(name)]
        if told:
            lines.append(f"{row.learner}, mean of {len(row.runs)} runs, {row.task}: {', '.join(told)}.")
    timed = [f"{row.learner} {row.seconds:.2f}" for row in result.rows if row.seconds is not None]
    lines += [f"Seconds an episode: {', '.join(timed)}."] if timed else []
    able = [row for row in result.rows if row.value is not None]
    lines += [f"{row.learner}, {row.task}: {note}." for row in result.rows if row.value is None for note in row.notes]
    missing = [f"{row.learner}, {row.task}: no interval for {note}." for row in able for note in row.notes]
    lines += missing[:MOST_REASONS]
    if len(missing) > MOST_REASONS:
        lines.append(f"{len(missing) - MOST_REASONS} more intervals are missing for such reasons: --json has them all.")
    warnings = dict.fromkeys(warning for row in result.rows for warning in row.warnings)
    lines += [f"Note: {note}." for note in (*result.notes, *warnings)]
    if result.limited:
        lines.append(f"This is not the published setting: {result.preset}.")
    return lines
