"""Comparisons as tables: differences in points, and for each population how certain they are."""

import math
from collections.abc import Sequence

import numpy as np

from fairshot.reports.forecasts import ALIKE, answer_alike, differ_alike, forecast_sentence
from fairshot.results.population_headings import POPULATIONS
from fairshot.runtime.errors import FairshotError
from fairshot.statistics.comparison import Comparison, adjusted
from fairshot.statistics.estimate import LEVEL
from fairshot.statistics.forecast import forecast
from fairshot.statistics.ranks import population_of
from fairshot.tables.table import Cell, Column, Quantity, Table
from fairshot.tables.words import at_level, singular

UNITS = {
    "episodes": "episodes",
    "images": "images per class",
    "classes": "classes",
    "parents": "parents",
    "runs": "runs",
    "items": "items",
    "groups": "groups",
    "data sets": "data sets",
}
MANY = 4  # learners on one task from which a matrix says more than a list of pairs
SIGNIFICANT = 0.05


def comparison_tables(
    comparisons: Sequence[Comparison], *, pairs: bool = False, classes: int | None = None, notes: Sequence[str] = ()
) -> list[Table]:
    """A table for each pair of learners and task, or a matrix where there are many learners.

    With `pairs`, every pair in full all the same. `classes`: on how many others it might be repeated, if not on as
    many, which only pairs in full can say. Below the last table stands what many comparisons at once mean for the p
    values.
    """
    if classes is not None and classes < 1:
        raise FairshotError(f"{classes} other classes were asked for: ask for at least 1")
    tables, in_full = [], pairs or classes is not None  # a matrix says nothing of other classes
    for task in dict.fromkeys(comparison.task for comparison in comparisons):
        of_task = [comparison for comparison in comparisons if comparison.task == task]
        many = len(_learners(of_task)) >= MANY
        tables += [_matrix(of_task, task, cut=not in_full)] if many else []
        tables += [_pair_table(comparison, classes) for comparison in of_task] if in_full or not many else []
    below = [*(tables[-1].notes if tables else []), *_many_at_once(comparisons), *notes]
    return [*tables[:-1], tables[-1].model_copy(update={"notes": below})] if tables else []


def flat_table(comparisons: Sequence[Comparison]) -> Table:
    """One row for each pair, task and population: what a data frame is made of."""
    names = ("first", "second", "task", "metric", "population", "difference", "low", "high", "p")
    rows: list[list[Cell]] = []
    for comparison in comparisons:
        for population, difference in comparison.differences.items():
            low, high = difference.estimate.interval or (None, None)
            about = [comparison.first, comparison.second, comparison.task, comparison.metric, population]
            rows.append([*about, comparison.value, low, high, difference.p_value])
    return Table(columns=[Column(name=name) for name in names], rows=rows)


def _learners(comparisons: Sequence[Comparison]) -> list[str]:
    return list(dict.fromkeys(name for c in comparisons for name in (c.first, c.second)))


def _matrix(comparisons: Sequence[Comparison], task: str, *, cut: bool) -> Table:
    """Row minus column in points; a star where the difference holds after Holm; `cut` if pairs are left out."""
    population = population_of(comparisons)
    known = [c for c in comparisons if population in c.differences and c.differences[population].p_value is not None]
    p_values = np.array([c.differences[population].p_value for c in known], dtype=np.float64)
    holm = adjusted(p_values)[0] if known else p_values
    certain = {id(c) for c, p in zip(known, holm, strict=True) if p < SIGNIFICANT}
    cells: dict[tuple[str, str], Cell] = {}
    for c in comparisons:
        for names, value in (((c.first, c.second), c.value), ((c.second, c.first), -c.value)):
            mark = "*" if id(c) in certain else "?" if c not in known else " "
            cells[names] = Quantity(value=value, unit="points", mark=mark)
    learners = _learners(comparisons)
    rows: list[list[Cell]] = [
        [f"{number} {name}", *(cells.get((name, other)) for other in learners)]
        for number, name in enumerate(learners, 1)
    ]
    about = POPULATIONS[population]
    notes = [
        f"Points. *: holds for {about.heading} ({about.about}) at p < {SIGNIFICANT} after Holm over the pairs of this "
        f"table.{'' if len(known) == len(comparisons) else f' ?: no interval for {about.heading} could be given.'}"
        f"{' Every pair in full: --pairs.' if cut else ''}"
    ]
    numbers = [Column(name=str(number + 1), unit_in_heading=False) for number in range(len(learners))]
    columns = [Column(name="row minus column", code=True), *numbers]
    return Table(title=task, columns=columns, rows=rows, notes=notes)


def _pair_table(comparison: Comparison, classes: int | None) -> Table:
    """One pair: a row for each population, and below what could not be said and what other classes would show."""
    names = [name for name in POPULATIONS if name in comparison.differences]
    rows = [_pair_row(name, comparison) for name in names]
    notes = [
        f"No interval for {POPULATIONS[name].heading}: {difference.estimate.reason}."
        for name, difference in comparison.differences.items()
        if difference.estimate.reason
    ]
    if differ_alike(comparison):
        every = singular(comparison.unit)
        notes.append(f"The difference is the same in every {every}, so how much others vary is not known.")
    elif "classes" in comparison.differences:
        notes.append(_on_others(comparison, classes))
    interval = f"{at_level(_level(comparison))} interval"
    columns = [Column(name=name) for name in ("population", interval, "p", "detectable", "needed to distinguish")]
    title = f"{comparison.first} - {comparison.second}, {comparison.task}: {_first_line(comparison)}"
    return Table(title=title, columns=columns, rows=rows, notes=notes)


def _level(comparison: Comparison) -> float:
    """How sure its intervals are, which all are made alike."""
    return next((difference.estimate.level for difference in comparison.differences.values()), LEVEL)


def _pair_row(population: str, comparison: Comparison) -> list[Cell]:
    difference = comparison.differences[population]
    heading = POPULATIONS[population].heading
    if difference.estimate.interval is None or difference.p_value is None:
        return [heading, None, None, None, None]
    low, high = difference.estimate.interval
    quoted = population == comparison.headline and not differ_alike(comparison)
    return [
        heading,
        Quantity(value=None, unit="points", low=low, high=high, population=population, quoted=quoted, digits=2),
        Quantity(value=difference.p_value, unit="p"),
        None if difference.detectable is None else Quantity(value=difference.detectable, unit="share", digits=2),
        _needed(population, comparison),
    ]


def _first_line(comparison: Comparison) -> str:
    if answer_alike(comparison):
        return f"{ALIKE} {singular(comparison.unit)}"
    if comparison.value == 0:
        return "no difference in the mean"
    share = f"better in {100 * comparison.improvement:.0f}% of the {comparison.unit}, ties counted half"
    return f"{100 * comparison.value:+.2f} points, {share}"


def _on_others(comparison: Comparison, classes: int | None) -> str:
    """What other units of the population that should be quoted would say; or so many other classes."""
    population = "parents" if comparison.headline == "parents" and classes is None else "classes"
    difference = comparison.differences[population]
    predicted = difference.forecast
    if classes is not None and difference.between is not None and predicted is not None:
        predicted = forecast(comparison.value, difference.between, units=classes, prior=predicted.prior)
    return forecast_sentence(
        comparison.value, predicted, population, alike=answer_alike(comparison), unit=comparison.unit
    )


def _needed(population: str, comparison: Comparison) -> str:
    """What it would take: in all, where the unit can be counted."""
    difference, units = comparison.differences[population], comparison.units.get(population)
    low, high = difference.estimate.interval or (0.0, 0.0)
    if low > 0 or high < 0:
        return "distinguished"
    if difference.times_needed is None:
        return "-"
    if difference.times_needed <= 1 and comparison.unit == "episodes":  # the units would do, the episodes do not
        return "more episodes"
    if units is None:
        return f"{difference.times_needed:.1f} x the data"
    return f"{math.ceil(difference.times_needed * units):,} {UNITS[population]} (now {units:,})"


def _many_at_once(comparisons: Sequence[Comparison]) -> list[str]:
    """For each population, how many differences are left after corrections for many comparisons."""
    lines = []
    for name, population in POPULATIONS.items():
        known = [c for c in comparisons if name in c.differences and c.differences[name].p_value is not None]
        if len(known) < 2:
            continue
        p_values = np.array([c.differences[name].p_value for c in known], dtype=np.float64)
        holm, hochberg = adjusted(p_values)
        counts = [int((values < SIGNIFICANT).sum()) for values in (p_values, holm, hochberg)]
        below = f"{counts[0]} of {len(known)} differences below p = {SIGNIFICANT}"
        corrected = f"{counts[1]} after Holm, {counts[2]} after Benjamini and Hochberg"
        lines.append(f"{population.heading[:1].upper()}{population.heading[1:]}: {below}, {corrected}.")
    return lines
