"""Published numbers beside ours: every deviation of a result, and what all of a study's come to."""

from collections.abc import Sequence

from fairshot.reports.result_tables import quoted_cell
from fairshot.results.schema import Row
from fairshot.tables.table import Cell, Column, Quantity, Table, Unit


def published_rows(rows: Sequence[Row]) -> list[Row]:
    """The rows for which a paper has a number and we have one."""
    return [row for row in rows if row.published is not None and row.value is not None]


def deviations(rows: Sequence[Row]) -> Table | None:
    """A line for each published number: it, ours with the interval to quote, and the difference; None without any."""
    compared = published_rows(rows)
    if not compared:
        return None
    names = ("learner", "task", "metric", "published", "ours", "ours minus published", "inside the interval")
    columns = [Column(name=name, code=name == "learner") for name in names]
    return Table(columns=columns, rows=[_cells(row) for row in compared])


def _cells(row: Row) -> list[Cell]:
    difference = Quantity(value=deviation(row), unit="points" if _is_share(row) else "", signed=True)
    unit: Unit = "share" if _is_share(row) else ""
    published = Quantity(value=row.published, unit=unit)
    ours = quoted_cell(row) if _is_share(row) else Quantity(value=row.value)
    inside = "yes" if is_inside(row) else "no" if our_interval(row) else "no interval"
    return [row.learner, row.task, row.metric, published, ours, difference, inside]


def deviation(row: Row) -> float:
    """Ours minus published."""
    assert row.published is not None
    return row.number - row.published


def our_interval(row: Row) -> tuple[float, float] | None:
    """The interval to quote; where a row has one alone, as correlations of measures have, that one."""
    given = [interval for interval in row.intervals.values() if interval is not None]
    return row.quoted or (given[0] if len(given) == 1 else None)


def is_inside(row: Row) -> bool:
    """Whether the published number lies in our interval."""
    ours = our_interval(row)
    return ours is not None and row.published is not None and ours[0] <= row.published <= ours[1]


def _is_share(row: Row) -> bool:
    return 0 <= row.number <= 1 and 0 <= (row.published or 0) <= 1


def study_line(name: str, about: dict[str, str], rows: Sequence[Row]) -> list[Cell]:
    """One study: how many published numbers it has, and how far ours lie from them."""
    compared = published_rows(rows)
    gaps = [abs(deviation(row)) for row in compared]
    shares = all(map(_is_share, compared))
    unit: Unit = "points" if shares else ""
    mean, largest = (
        Quantity(value=value, unit=unit, signed=False) if gaps else None
        for value in ((sum(gaps) / len(gaps), max(gaps)) if gaps else (0.0, 0.0))
    )
    judged = [row for row in compared if our_interval(row)]
    inside = (
        f"{sum(map(is_inside, judged))} of {len(judged)}" if judged else "no interval" if compared else "none published"
    )
    minutes = Quantity(value=float(about["seconds"]) / 60, digits=1) if about["seconds"] else None
    return [name, about["paper"], inside, mean, largest, about["preset"], minutes, about["command"]]


def reproduction_table(lines: Sequence[list[Cell]]) -> Table:
    """All studies."""
    names = ("study", "from", "published numbers inside our interval", "mean deviation", "largest deviation")
    more = ("preset", "minutes", "command")
    columns = [Column(name=name, code=name in ("study", "command")) for name in (*names, *more)]
    return Table(columns=columns, rows=list(lines))
