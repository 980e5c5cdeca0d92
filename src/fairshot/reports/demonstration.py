"""The demonstration in words: one small table, and what is to be learned from it."""

from collections.abc import Sequence

from fairshot.reports.result_tables import quoted_cell
from fairshot.results.evaluation import Evaluation
from fairshot.results.population_headings import POPULATIONS
from fairshot.results.schema import Row
from fairshot.statistics.estimate import LEVEL
from fairshot.tables.table import Cell, Column, Quantity, Table
from fairshot.tables.words import at_level, count_of, plain, points

PARENT = "parent"


def lesson(evaluation: Evaluation, parent: str = PARENT) -> list[str]:
    """Two sentences: what the kind of episodes costs, and how much less certain a mean is than papers print.

    Groups of classes are called by the word `parent`: alphabets, say.
    """
    any_classes, within = last_tasks(evaluation)
    cost = _cost(any_classes, within)
    said = [cost, _certainty(_best(any_classes), is_first=not cost)]
    return [line.replace(PARENT, parent) for line in said if line]


def short_tables(evaluation: Evaluation, left_out: Sequence[str] = (), parent: str = PARENT) -> list[Table]:
    """All learners on the task with the most shots: any classes together, and classes of one parent together."""
    any_classes, within = last_tasks(evaluation)
    inside = {row.learner: row for row in within}
    first, population = any_classes[0], _best(any_classes).headline
    rows: list[list[Cell]] = []
    for row in any_classes:
        beside = inside.get(row.learner)
        gap = None if beside is None else Quantity(value=beside.number - row.number, unit="points")
        both: list[Cell] = [_cell(beside, population), gap] if within else []
        rows.append([row.learner, _cell(row, population), *both])
    names = ["any classes", *([f"of one {parent}", "difference"] if within else [])]
    columns = [Column(name="learner", code=True), *(Column(name=name) for name in names)]
    title = f"{first.metric.capitalize()}, {first.task}, {count_of(first.episodes, 'episode')} of {first.part}"
    notes = (
        [f"In brackets, {at_level(LEVEL)}: {POPULATIONS[population].about.replace(PARENT, parent)}."]
        if population
        else []
    )
    return [
        Table(title=title, columns=columns, rows=rows, notes=[*notes, *(f"{_capital(line)}." for line in left_out)])
    ]


def _cell(row: Row | None, population: str) -> Cell:
    """The value with its interval for the population that the best learner quotes; alone where there is none."""
    if row is None or row.intervals.get(population):
        return quoted_cell(row, population)
    return Quantity(value=row.value, unit="share")


def last_tasks(evaluation: Evaluation) -> tuple[list[Row], list[Row]]:
    """The rows of the last task of any classes, and of the same task within parents, of which there may be none."""
    rows = [row for row in evaluation.rows if row.value is not None]
    any_classes = [row for row in rows if not row.counterpart]
    last = [row for row in any_classes if row.task == any_classes[-1].task]
    return last, [row for row in rows if row.counterpart == last[0].task]


def _best(rows: Sequence[Row]) -> Row:
    return max(rows, key=lambda row: row.number)


def _cost(any_classes: Sequence[Row], within: Sequence[Row]) -> str:
    """What classes of one parent cost the best learner, which unstructured episodes do not show."""
    best = _best(any_classes)
    beside = next((row for row in within if row.learner == best.learner), None)
    if beside is None or beside.number >= best.number:
        return ""
    wrong, more = 1 - best.number, 1 - beside.number
    times = f", {plain(more / wrong)} times as many" if wrong > 0 else ""
    return (
        f"Episodes of any classes hide how hard it is to distinguish similar ones: of one parent, {best.learner} makes "
        f"{points(more)}% errors instead of {points(wrong)}%{times}."
    )


def _certainty(best: Row, *, is_first: bool) -> str:
    """How far the interval to quote reaches, beside the one that papers print."""
    quoted, usual = best.quoted, best.intervals.get("episodes")
    if quoted is None or usual is None or best.headline in ("", "episodes"):
        return (
            f"How accurate the {points(best.number)}% of {best.learner} are for other classes cannot be said with so "
            "little data: more classes, images or episodes would tell."
        )
    wide, narrow = (points((high - low) / 2) for low, high in (quoted, usual))
    others = POPULATIONS[best.headline].heading
    which = f"The {points(best.number)}% of {best.learner}" if is_first else f"Its {points(best.number)}%"
    return (
        f"{which} are accurate to ±{wide} points for {others}; the ±{narrow} that papers print "
        "cover only which episodes were drawn."
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
