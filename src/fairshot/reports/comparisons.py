"""Comparisons as tables: differences in points, and for each population how sure they are."""

import json
from collections.abc import Sequence
from dataclasses import asdict

import numpy as np
from rich import box
from rich.console import Console
from rich.table import Table

import fairshot
from fairshot.reports.terminal import HEADINGS
from fairshot.statistics.comparison import Comparison, Difference, adjusted

UNITS = {
    "episodes": "episodes",
    "images": "images a class",
    "classes": "classes",
    "parents": "parents",
    "values": "values",
}


def render_comparisons(comparisons: Sequence[Comparison], console: Console | None = None) -> None:
    """A block for each pair of learners and task; below, what many comparisons at once mean for the p values."""
    console = console or Console()
    for comparison in comparisons:
        console.print(f"{comparison.first} - {comparison.second}: {comparison.task}", style="bold", markup=False)
        share = f"better in {100 * comparison.improvement:.0f}% of the episodes, ties counted half"
        console.print(f"{100 * comparison.value:+.2f} points, {share}", markup=False, highlight=False)
        console.print(_table(comparison))
    if len(comparisons) > 1:
        console.print(_many(comparisons), markup=False, highlight=False, soft_wrap=True)


def _table(comparison: Comparison) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("population", "95% interval", "p", "detectable", "to tell them apart"):
        table.add_column(heading, justify="left" if heading == "population" else "right", no_wrap=True)
    for name in HEADINGS:
        if name in comparison.differences:
            table.add_row(HEADINGS[name][0], *_cells(name, comparison.differences[name]))
    return table


def _cells(population: str, difference: Difference) -> list[str]:
    interval = difference.estimate.interval
    if interval is None or difference.p_value is None:
        return ["-", "", "", difference.estimate.reason]
    shown = f"{100 * interval[0]:+.2f} to {100 * interval[1]:+.2f}"
    detectable = "" if difference.detectable is None else f"{100 * difference.detectable:.2f}"
    return [shown, f"{difference.p_value:.2g}", detectable, _needed(population, difference)]


def _needed(population: str, difference: Difference) -> str:
    low, high = difference.estimate.interval or (0.0, 0.0)
    if low > 0 or high < 0:
        return "told apart"
    if difference.times_needed is None:
        return "-"
    if difference.times_needed <= 1:  # the units would do, the episodes do not
        return "more episodes"
    return f"{difference.times_needed:.1f} x the {UNITS[population]}"


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
    return json.dumps({"schema": 1, "fairshot": fairshot.__version__, "command": command, "rows": rows}, indent=1)
