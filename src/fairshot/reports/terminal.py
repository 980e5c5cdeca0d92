"""Results as tables in the terminal: percent here, fractions everywhere else."""

from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table

from fairshot.reports.shot_text import render_curves
from fairshot.results.schema import Result, Row
from fairshot.runtime.words import count_of, plain

OF_RUNS = ("runs", "runs and classes")  # said below the table, of the one row that has them
QUOTED = "*: the interval to quote, which is that for parents where they explain a part of how classes differ."
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
FIXED = (
    "such episodes",
    "others made like those of this fixed list, judged by how much these differ among themselves; the list has no more",
)  # where the interval over episodes is of a list that was published one by one, and not of a sampler


def render_result(result: Result, console: Console | None = None) -> None:
    """A table for each task with a line for each learner, and below what the intervals speak about."""
    console = console or Console(emoji=False)
    console.print(f"{result.source.name}, recipe {result.source.recipe}, in percent", markup=False)
    for task, metric in dict.fromkeys((row.task, row.metric) for row in result.rows):
        rows = [row for row in result.rows if (row.task, row.metric) == (task, metric)]
        console.print()
        asked = count_of(max(row.episodes for row in rows), "episode")
        console.print(f"{task}, {asked}", markup=False, highlight=False, style="bold")
        console.print(_table(rows, fixed=task in fixed_lists(result)))
    console.print("\n".join(explanations(result)), markup=False, highlight=False, soft_wrap=True)
    render_curves(result.shots, console)


def fixed_lists(result: Result) -> list[str]:
    """The tasks whose episodes were published one by one, such as Lake's 20 runs: there are no more of them."""
    return list(dict.fromkeys(row.task for row in result.rows if row.scores is not None))


def _table(rows: Sequence[Row], *, fixed: bool) -> Table:
    populations = [name for name in HEADINGS if name not in OF_RUNS and any(name in row.intervals for row in rows)]
    published = any(row.published is not None for row in rows)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("learner", overflow="fold", min_width=12)
    table.add_column(rows[0].metric, justify="right", no_wrap=True)
    for name in populations:
        told = FIXED if fixed and name == "episodes" else HEADINGS[name]
        table.add_column(told[0], justify="right", no_wrap=True)
    if published:
        table.add_column("published", justify="right")
    for row in rows:
        value = "N/A" if row.value is None else plain(100 * row.value, 2)
        cells = [row.learner, value, *(_cell(row, name) for name in populations)]
        if published:
            cells.append("" if row.published is None else f"{100 * row.published:.1f}")
        table.add_row(*cells)
    return table


def _cell(row: Row, population: str) -> str:
    """An interval, with a star if it should be quoted."""
    mark = "*" if population == row.headline and row.quoted is not None and len(row.intervals) > 1 else ""
    return f"{percent(row.intervals.get(population))}{mark}"


def percent(interval: tuple[float, float] | None) -> str:
    """Both ends of an interval."""
    return "-" if interval is None else "–".join(plain(100 * end) for end in interval)


def explanations(result: Result) -> list[str]:
    """What the intervals speak about, why some are missing, and all notes."""
    fixed = fixed_lists(result)
    drawn = {name for row in result.rows for name in row.intervals if name != "episodes" or row.task not in fixed}
    told = [*(about for name, about in HEADINGS.items() if name in drawn), *([FIXED] if fixed else [])]
    lines = ["95% intervals. " + " ".join(f"{name.capitalize()}: {about}." for name, about in told)]
    lines += [QUOTED] if any(len(row.intervals) > 1 and row.headline for row in result.rows) else []
    for row in result.rows:
        runs = [f"{HEADINGS[name][0]} {percent(row.intervals[name])}" for name in OF_RUNS if row.intervals.get(name)]
        if runs:
            lines.append(f"{row.learner}, mean of {len(row.runs)} runs, {row.task}: {', '.join(runs)}.")
    timed = [f"{row.learner} {row.seconds:.2f}" for row in result.rows if row.seconds is not None]
    lines += [f"Seconds an episode: {', '.join(timed)}."] if timed else []
    able = [row for row in result.rows if row.value is not None]
    lines += [f"{row.learner}, {row.task}: {note}." for row in result.rows if row.value is None for note in row.notes]
    missing = [f"{row.learner}, {row.task}: no interval for {note}." for row in able for note in row.notes]
    lines += missing[:MOST_REASONS]
    if len(missing) > MOST_REASONS:
        more = len(missing) - MOST_REASONS
        are = "1 more interval is" if more == 1 else f"{more} more intervals are"
        lines.append(f"{are} missing for such reasons: --json has them all.")
    warnings = dict.fromkeys(warning for row in result.rows for warning in row.warnings)
    lines += [f"Note: {note}." for note in (*result.notes, *warnings)]
    if result.limited:
        lines.append(f"This is not the published setting: {result.preset}.")
    return lines
