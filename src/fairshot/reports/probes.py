"""A probe as tables: one for each number of shots, one of differences, one of the hardest classes."""

from fairshot.results.population_headings import OF_PROBES
from fairshot.results.probe_rows import ProbeResult
from fairshot.results.schema import Row
from fairshot.statistics.estimate import LEVEL, has_width
from fairshot.tables.table import Cell, Column, Quantity, Table, Unit
from fairshot.tables.words import at_level, count_of, listed, percent, percent_span

HARDEST = 5  # classes that are shown


def summary(result: ProbeResult) -> str:
    """Which learner is best with the most labelled images, and which cannot be distinguished from it."""
    best = _best(result)
    heading = OF_PROBES.get(best.headline)
    known = best.quoted is not None and has_width(best.quoted)
    words = f" for {heading.heading}" if heading and known else ""
    first = f"With {count_of(best.shot or 0, 'shot')}: {best.learner}, {percent(best.number)}"
    first += f" [{percent_span(best.quoted)}]{words}" if known else ""
    others = [row.against for row in result.comparisons if _of_best(row, best) and _unclear(row)]
    same = f"; not distinguishable from it: {listed(others)}" if others else ""
    return f"{first}{same}."


def _best(result: ProbeResult) -> Row:
    """The row of the best learner with the most shots, of those that did not look at the test set."""
    most = max(row.shot or 0 for row in result.rows)
    rows = [row for row in result.rows if row.shot == most and row.metric == "accuracy" and not _tuned(row)]
    return max(rows, key=lambda row: row.number)


def _tuned(row: Row) -> bool:
    return any("best on the test set" in warning for warning in row.warnings)


def _of_best(row: Row, best: Row) -> bool:
    return (row.learner, row.shot) == (best.learner, best.shot)


def _unclear(row: Row) -> bool:
    """Whether the difference may be none, for the widest population that there is an interval for."""
    ends = row.quoted
    return ends is None or ends[0] <= 0 <= ends[1]


def probe_tables(result: ProbeResult) -> list[Table]:
    """What was found; what holds for all tables stands below the last."""
    cells = dict.fromkeys((row.task, row.metric) for row in result.rows)
    tables = [_score_table(result, *cell) for cell in cells]
    tables += [_difference_table(result)] if result.comparisons else []
    tables += [_class_table(result)] if result.class_rates else []
    tables[-1] = tables[-1].model_copy(update={"notes": _notes(result)})
    return tables


def _score_table(result: ProbeResult, task: str, metric: str) -> Table:
    rows = [row for row in result.rows if (row.task, row.metric) == (task, metric)]
    populations = [name for name in OF_PROBES if any(name in row.intervals for row in rows)]
    columns = ["learner", metric, *(OF_PROBES[name].heading for name in populations)]
    cells: list[list[Cell]] = [
        [row.learner, Quantity(value=row.value, unit="share"), *(_interval(row, name) for name in populations)]
        for row in rows
    ]
    count = count_of(max(row.episodes for row in rows), "draw")
    images = f"{count_of(result.pool, 'image')} in the pool, {result.test:,} in the test"
    title = f"{task}, {count}, {result.source.name} ({images}, recipe {result.source.recipe})"
    return Table(title=title, columns=[Column(name=name, code=name == "learner") for name in columns], rows=cells)


def _interval(row: Row, population: str) -> Cell:
    if population not in row.intervals:
        return None
    low, high = row.intervals[population] or (None, None)
    quoted = population == row.headline and low is not None and high is not None and has_width((low, high))
    unit: Unit = "points" if row.difference else "share"
    return Quantity(value=None, unit=unit, low=low, high=high, population=population, quoted=quoted)


def _difference_table(result: ProbeResult) -> Table:
    rows = result.comparisons
    populations = [name for name in OF_PROBES if any(name in row.intervals for row in rows)]
    columns = ["learner", "minus", "shots", "difference", *(OF_PROBES[name].heading for name in populations)]
    cells: list[list[Cell]] = [
        [
            row.learner,
            row.against,
            row.shot,
            Quantity(value=row.value, unit="points"),
            *(_interval(row, name) for name in populations),
        ]
        for row in rows
    ]
    return Table(title="Differences on the same draws and test images", columns=_columns(columns), rows=cells)


def _columns(names: list[str]) -> list[Column]:
    return [Column(name=name, code=name in ("learner", "minus")) for name in names]


def _class_table(result: ProbeResult) -> Table:
    """The hardest classes of the best learner."""
    best = _best(result)
    rates = [rate for rate in result.class_rates if (rate.learner, rate.shot) == (best.learner, best.shot)]
    cells: list[list[Cell]] = [
        [
            rate.name,
            Quantity(value=rate.value, unit="share", low=low, high=high),
            rate.test_images,
        ]
        for rate in sorted(rates, key=lambda rate: rate.value)[:HARDEST]
        for low, high in [rate.interval or (None, None)]
    ]
    shots = count_of(best.shot or 0, "shot")
    title = f"The hardest classes of {best.learner} with {shots}, in brackets for new images"
    return Table(title=title, columns=_columns(["class", "accuracy", "test images"]), rows=cells)


def _notes(result: ProbeResult) -> list[str]:
    seen = [name for name in OF_PROBES if any(name in row.intervals for row in result.rows)]
    kinds = "; ".join(f"{OF_PROBES[name].heading}: {OF_PROBES[name].about}" for name in seen)
    lines = [f"{at_level(LEVEL)} intervals. {kinds}. *: the one to quote."]
    reasons = dict.fromkeys(note for row in result.rows for note in row.notes if row.shot)
    lines += [f"No interval for {_said(reason)}." for reason in reasons]
    warnings = dict.fromkeys(warning for row in result.rows for warning in row.warnings)
    lines += [f"Note: {note}." for note in (*result.notes, *warnings)]
    lines += [curve.sentence for curve in result.shots if curve.sentence]
    return lines


def _said(reason: str) -> str:
    name, _, why = reason.partition(": ")
    return f"{OF_PROBES[name].heading}: {why}" if name in OF_PROBES else reason
