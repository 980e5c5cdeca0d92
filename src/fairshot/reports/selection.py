"""Selection in words and tables: the best score as it is printed, beside what honest choices give."""

from fairshot.evaluation.selection import Inflation, Selection
from fairshot.results.population_headings import POPULATIONS
from fairshot.statistics.estimate import LEVEL, Estimate
from fairshot.tables.table import Cell, Column, Quantity, Table
from fairshot.tables.words import at_level, count_of, points

RULES = {
    "val": "best on val",
    "cross-fitted": "best of all, cross-fitted",
    "one half": "best on one half, on the other",
}


def summary(selection: Selection) -> str:
    """How much the best score is too high, for each task."""
    several = len(selection) > 1
    lines = []
    for one in selection.inflations:
        sentence = (
            f"The best of {count_of(one.candidates, 'candidate')} is printed {points(one.value)} points too well "
            f"[{points(one.low)}, {points(one.high)}]: so much of its lead over the mean of all would not hold for "
            f"{POPULATIONS[one.population].heading}."
        )
        lines.append(f"{one.task}: {sentence}" if several else sentence)
    return "\n".join(lines)


def tables(selection: Selection) -> list[Table]:
    """A table for each task."""
    shown = [_table(one) for one in selection.inflations]
    notes = [*shown[-1].notes, *selection.notes]
    return [*shown[:-1], shown[-1].model_copy(update={"notes": notes})]


def _table(one: Inflation) -> Table:
    rows: list[list[Cell]] = [["best on test, as printed", one.best, _score(one.reported)]]
    rows += [[RULES[choice.rule], choice.chosen, _score(choice.estimate)] for choice in one.honest]
    rows.append(["mean of all candidates", "", Quantity(value=one.mean, unit="share")])
    about = POPULATIONS[one.population]
    notes = [
        f"{at_level(LEVEL)} intervals for {about.heading} ({about.about}). Cross-fitted: chosen on four fifths and "
        "judged on the last, over all divisions; its interval is wide enough for whichever candidate won. "
        f"{count_of(one.rivals, 'candidate')} would win in at least one of a hundred divisions."
    ]
    columns = [Column(name="choice"), Column(name="candidate", code=True), Column(name="score", strong=True)]
    return Table(title=f"{one.task}, {count_of(one.candidates, 'candidate')}", columns=columns, rows=rows, notes=notes)


def _score(estimate: Estimate) -> Quantity:
    return Quantity(value=estimate.value, unit="share", low=estimate.low, high=estimate.high)
