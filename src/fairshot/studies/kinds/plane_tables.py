"""The tables of studies of generators: positions, seeds, claims and trainings, made of a result alone."""

from collections.abc import Sequence

from fairshot.results.schema import Row
from fairshot.results.study_rows import ClaimRow, ModelRow, SampleResult
from fairshot.tables.table import Cell, Column, Quantity, Table, plain_columns

UNITS = {"recognizability": "share", "copies": "share"}
FIRST = ("diversity", "recognizability", "distance")
FURTHER = ("pooled distance", "copies")


def plane_tables(result: SampleResult) -> list[Table]:
    """For every pair of critics positions for other classes and for other seeds; claims; how long trainings took."""
    critics = list(dict.fromkeys(row.task for row in result.rows))
    positions = [table for critic in critics for table in (position_table(result, critic), seed_table(result, critic))]
    tables = [*positions, claim_table(result), training_table(result)]
    return [table for table in tables if table.rows]


def rows_of(result: SampleResult, critic: str) -> dict[str, dict[str, ModelRow]]:
    """The rows of each model by measure."""
    found: dict[str, dict[str, ModelRow]] = {}
    for row in result.rows:
        if isinstance(row, ModelRow) and row.task == critic:
            found.setdefault(row.learner, {})[row.metric] = row
    return found


def position_table(result: SampleResult, critic: str) -> Table:
    """Both axes and the distances, with intervals for other classes, beside what was published."""
    models = rows_of(result, critic)
    published = any(row.published is not None for rows in models.values() for row in rows.values())
    lines: list[list[Cell]] = []
    for model, rows in models.items():
        line: list[Cell] = [model, max(row.seeds for row in rows.values())]
        for metric in FIRST:
            line.append(_quantity(rows.get(metric), _population(rows.get(metric))))
            if published and metric != "distance":
                line.append(_published(rows.get(metric)))
        lines.append([*line, *(_quantity(rows.get(metric), "") for metric in FURTHER)])
    beside = ["published"] if published else []
    heads = ["runs", "diversity", *beside, "recognizability", *beside, "distance", *FURTHER]
    notes = [
        f"Means over runs with other seeds; in brackets 95% for other classes, of other parents where they count one "
        f"by one. {result.way}-way, each class asked for {result.times} times.",
        "Distance: to people, both axes in shares of theirs. Pooled distance: as published, on axes z-scored over all "
        "trainings and people.",
    ]
    title = f"Positions by the critics {critic}"
    return Table(
        title=title, columns=[Column(name="model", code=True), *plain_columns(*heads)], rows=lines, notes=notes
    )


def seed_table(result: SampleResult, critic: str) -> Table:
    """The same numbers with intervals for other seeds."""
    models = {model: rows for model, rows in rows_of(result, critic).items() if _seeds(rows) > 1}
    metrics = (*FIRST, FURTHER[0])
    lines: list[list[Cell]] = [
        [model, _seeds(rows), *(_quantity(rows.get(metric), "runs") for metric in metrics)]
        for model, rows in models.items()
    ]
    columns = [Column(name="model", code=True), *plain_columns("runs", *metrics)]
    notes = ["In brackets 95% for trainings with other seeds."]
    return Table(title=f"Other seeds, by the critics {critic}", columns=columns, rows=lines, notes=notes)


def claim_table(result: SampleResult) -> Table:
    """Every claim by every pair of critics."""
    claims = [row for row in result.rows if isinstance(row, ClaimRow)]
    lines: list[list[Cell]] = [
        [row.learner, row.task, row.verdict, _quantity(row, row.headline, digits=3), row.headline, row.about]
        for row in claims
    ]
    columns = plain_columns("claim", "critics", "verdict", "number", "95% for other", "what the number is")
    notes = ["A number above 0 speaks for the claim: agree or disagree where all of its interval is on one side of 0."]
    return Table(title="Claims", columns=columns, rows=lines, notes=notes)


def training_table(result: SampleResult) -> Table:
    """How each course was trained, and how long that took."""
    files = {point.course: point.known for point in result.points if point.known}
    measured = {point.course for point in result.points if not point.known}
    lines: list[list[Cell]] = []
    for name, about in result.training.items():
        line: list[Cell] = [name, about.get("steps"), Quantity(value=about.get("seconds"), unit="seconds", digits=0)]
        known = "" if name in measured else files.get(name, "")
        lines.append([*line, *([known] if files else [])])
    heads = ("course", "steps", "seconds", *(["known from"] if files else []))
    return Table(title="Trainings", columns=plain_columns(*heads), rows=lines)


def _seeds(rows: dict[str, ModelRow]) -> int:
    return max((row.seeds for row in rows.values()), default=0)


def _population(row: Row | None) -> str:
    known: Sequence[str] = [] if row is None else [name for name in ("parents", "classes") if row.intervals.get(name)]
    return known[0] if known else "classes"


def _quantity(row: Row | None, population: str, *, digits: int | None = None) -> Cell:
    if row is None:
        return None
    low, high = row.intervals.get(population) or (None, None)
    notes = [note.partition(": ")[2] or note for note in row.notes if note.startswith(f"{population}: ")]
    why = ", ".join(notes or row.notes) if low is None and population else ""
    unit = UNITS.get(row.metric, "")
    return Quantity.model_validate(
        {
            "value": row.value,
            "unit": unit,
            "low": low,
            "high": high,
            "population": population if low is not None else "",
            "why": why,
            "digits": digits,
        }
    )


def _published(row: Row | None) -> Cell:
    return (
        None
        if row is None or row.published is None
        else _quantity(row.model_copy(update={"value": row.published, "intervals": {}, "notes": []}), "")
    )
