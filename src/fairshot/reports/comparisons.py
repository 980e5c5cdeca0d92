"""Comparisons as tables: differences in points, and for each population how sure they are."""

import json
import math
from collections.abc import Sequence
from dataclasses import asdict

import numpy as np
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

import fairshot
from fairshot.reports.forecasts import forecast_sentence
from fairshot.reports.terminal import HEADINGS
from fairshot.statistics.comparison import Comparison, Difference, adjusted
from fairshot.statistics.forecast import forecast

UNITS = {
    "episodes": "episodes",
    "images": "images a class",
    "classes": "classes",
    "parents": "parents",
    "runs": "runs",
}
MANY = 4  # learners on one task from which a matrix tells more than a list of pairs
OF_INTEREST = ("classes", "parents", "values", "images", "episodes")  # what a matrix judges by: the first there is


def render_comparisons(
    comparisons: Sequence[Comparison],
    console: Console | None = None,
    *,
    pairs: bool = False,
    classes: int | None = None,
) -> None:
    """A block for each pair of learners and task, or a matrix where there are many learners.

    Below, what many comparisons at once mean for the p values. `classes`: on how many others it might be repeated, if
    not on as many.
    """
    console = console or Console(emoji=False)
    for task in dict.fromkeys(comparison.task for comparison in comparisons):
        own = [comparison for comparison in comparisons if comparison.task == task]
        many = len(_learners(own)) >= MANY
        if many:
            _render_matrix(own, task, console)
        if pairs or not many:
            _render_pairs(own, console, classes)
    if len(comparisons) > 1:
        console.print(_many(comparisons), markup=False, highlight=False, soft_wrap=True)


def _learners(comparisons: Sequence[Comparison]) -> list[str]:
    return list(dict.fromkeys(name for c in comparisons for name in (c.first, c.second)))


def _render_matrix(comparisons: Sequence[Comparison], task: str, console: Console) -> None:
    """Row minus column in points; a star where the difference holds after Holm."""
    population = _population(comparisons)
    known = [c for c in comparisons if population in c.differences and c.differences[population].p_value is not None]
    p_values = np.array([c.differences[population].p_value for c in known], dtype=np.float64)
    sure = {id(c) for c, p in zip(known, adjusted(p_values)[0], strict=True) if p < 0.05} if known else set()
    cells: dict[tuple[str, str], str] = {}
    for c in comparisons:
        mark = "*" if id(c) in sure else " " if c in known else "?"
        cells[c.first, c.second] = f"{100 * c.value:+.1f}{mark}"
        cells[c.second, c.first] = f"{-100 * c.value:+.1f}{mark}"
    learners = _learners(comparisons)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("row minus column", overflow="fold")
    for number in range(len(learners)):
        table.add_column(str(number + 1), justify="right", no_wrap=True)
    for number, name in enumerate(learners):
        table.add_row(Text(f"{number + 1} {name}"), *(cells.get((name, other), "") for other in learners))
    console.print(task, style="bold", markup=False, highlight=False)
    console.print(table)
    about = HEADINGS[population]
    legend = f"Points. *: holds for {about[0]} ({about[1]}) at p < 0.05 after Holm over the pairs of this table."
    unsure = " ?: no interval could be given." if len(known) < len(comparisons) else ""
    console.print(f"{legend}{unsure} Every pair in full: --pairs.", markup=False, highlight=False, soft_wrap=True)


def _population(comparisons: Sequence[Comparison]) -> str:
    """What a matrix judges by: parents if most pairs should be quoted so, otherwise the first that there is."""
    parents = sum(c.headline == "parents" for c in comparisons)
    if 2 * parents > len(comparisons):
        return "parents"
    return next(name for name in OF_INTEREST if any(name in c.differences for c in comparisons))


def _render_pairs(comparisons: Sequence[Comparison], console: Console, classes: int | None) -> None:
    for comparison in comparisons:
        console.print(f"{comparison.first} - {comparison.second}: {comparison.task}", style="bold", markup=False)
        console.print(_first_line(comparison), markup=False, highlight=False)
        console.print(_table(comparison))
        for name, own in comparison.differences.items():
            if own.estimate.reason:
                told = f"No interval for {HEADINGS[name][0]}: {own.estimate.reason}."
                console.print(told, markup=False, highlight=False, soft_wrap=True)
        if "classes" in comparison.differences:
            console.print(_on_others(comparison, classes), markup=False, highlight=False, soft_wrap=True)


def _first_line(comparison: Comparison) -> str:
    if comparison.value == 0:
        return "no difference in the mean"
    share = f"better in {100 * comparison.improvement:.0f}% of the episodes, ties counted half"
    return f"{100 * comparison.value:+.2f} points, {share}"


def _on_others(comparison: Comparison, classes: int | None) -> str:
    """What other units of the population that should be quoted would say; or so many other classes."""
    population = "parents" if comparison.headline == "parents" and classes is None else "classes"
    own = comparison.differences[population]
    told = own.forecast
    if classes is not None and own.between is not None and told is not None:
        told = forecast(comparison.value, own.between, units=classes, prior=told.prior)
    return forecast_sentence(comparison.value, told, population)


def _table(comparison: Comparison) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("population", "95% interval", "p", "detectable", "to tell them apart"):
        table.add_column(heading, justify="left" if heading == "population" else "right", no_wrap=True)
    for name in HEADINGS:
        if name in comparison.differences:
            mark = "*" if name == comparison.headline else ""
            cells = _cells(name, comparison.differences[name], comparison.units.get(name))
            table.add_row(f"{HEADINGS[name][0]}{mark}", *cells)
    return table


def _cells(population: str, difference: Difference, units: int | None) -> list[str]:
    interval = difference.estimate.interval
    if interval is None or difference.p_value is None:
        return ["-", "", "", ""]
    shown = f"{100 * interval[0]:+.2f} to {100 * interval[1]:+.2f}"
    detectable = "" if difference.detectable is None else f"{100 * difference.detectable:.2f}"
    return [shown, f"{difference.p_value:.2g}", detectable, _needed(population, difference, units)]


def _needed(population: str, difference: Difference, units: int | None) -> str:
    """What it would take: in all, where the unit can be counted."""
    low, high = difference.estimate.interval or (0.0, 0.0)
    if low > 0 or high < 0:
        return "told apart"
    if difference.times_needed is None:
        return "-"
    if difference.times_needed <= 1:  # the units would do, the episodes do not
        return "more episodes"
    if units is None:
        return f"{difference.times_needed:.1f} x the data"
    return f"{math.ceil(difference.times_needed * units):,} {UNITS[population]}, now {units:,}"


def _many(comparisons: Sequence[Comparison]) -> str:
    lines = []
    for name in HEADINGS:
        known = [c for c in comparisons if name in c.differences and c.differences[name].p_value is not None]
        if len(known) < 2:
            continue
        p_values = np.array([c.differences[name].p_value for c in known], dtype=np.float64)
        holm, hochberg = adjusted(p_values)
        counts = [int((values < 0.05).sum()) for values in (p_values, holm, hochberg)]
        found = f"{counts[0]} of {len(known)} differences below p = 0.05"
        corrected = f"{counts[1]} after Holm, {counts[2]} after Benjamini and Hochberg"
        lines.append(f"{HEADINGS[name][0].capitalize()}: {found}, {corrected}.")
    return "\n".join(lines)


def comparisons_json(comparisons: Sequence[Comparison], command: list[str]) -> str:
    """The same for machines."""
    rows = [asdict(comparison) for comparison in comparisons]
    for row, comparison in zip(rows, comparisons, strict=True):  # what forecasts were made of is not told
        for name in comparison.differences:
            del row["differences"][name]["between"]
    return json.dumps({"schema": 1, "fairshot": fairshot.__version__, "command": command, "rows": rows}, indent=1)
