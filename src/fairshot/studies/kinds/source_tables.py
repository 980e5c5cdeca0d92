"""The tables of learners that were trained on one source and on many."""

from collections.abc import Mapping, Sequence

from fairshot.results.population_headings import POPULATIONS
from fairshot.results.schema import Row
from fairshot.results.source_rows import CurvePoint, ManySourcesResult, SourceRow
from fairshot.results.study_rows import ClaimRow
from fairshot.statistics.estimate import LEVEL
from fairshot.studies.kinds.source_findings import Heading
from fairshot.tables.table import Cell, Quantity, Table, Unit, plain_columns
from fairshot.tables.words import at_level

GAINS = "gains by training on many sources"
MARKS = {"classes": "", "parents": "p", "values": "v", "images": "i", "episodes": "e"}
"""Behind an interval that is not for other classes, which is the usual one."""
Rows = Mapping[tuple[str, str, str, bool], SourceRow]
"""By learner with its setting, source and metric, and whether episodes are small."""


def source_tables(heading: Heading, result: ManySourcesResult) -> list[Table]:
    """Sources, trainings, accuracies, gains, ratios, grain, ranks and claims; of a part of the study, trainings."""
    rows = {(row.learner, row.source, row.metric, row.small): row for row in result.rows if isinstance(row, SourceRow)}
    tables = [_trainings(result)]
    if rows:
        tables = [_sources(heading, result), *tables]
        tables += [_accuracies(heading, rows, setting, small=False) for setting in heading.settings]
        tables += [_gains(heading, result), _published(heading, result), _ratios(heading, rows), _grain(result)]
        tables += [_accuracies(heading, rows, setting, small=True) for setting in heading.settings]
        tables += [_ranks(heading, result), _claims(result)]
    return [table for table in tables if table.rows]


def _sources(heading: Heading, result: ManySourcesResult) -> Table:
    lines: list[list[Cell]] = [
        [tested.label, tested.trained, result.sources.get(tested.label, "")] for tested in heading.sources
    ]
    columns = plain_columns("source", "other classes trained on", "what it is and lacks")
    return Table(title="sources", columns=columns, rows=lines)


def _trainings(result: ManySourcesResult) -> Table:
    lines: list[list[Cell]] = [
        [
            name,
            about.get("preset", ""),
            about["steps"],
            Quantity(value=about.get("seconds"), unit="seconds", digits=0),
            Quantity(value=about.get("accuracy"), unit="share"),
        ]
        for name, about in result.training.items()
    ]
    columns = plain_columns("training", "preset", "steps", "seconds", "accuracy")
    notes = ["Accuracy: on what was trained on, the mean over the last epoch."]
    return Table(title="trainings", columns=columns, rows=lines, notes=notes)


def _accuracies(heading: Heading, rows: Rows, setting: str, *, small: bool) -> Table:
    learners = heading.ranked if small else heading.fast
    lines = _lines(heading, rows, [heading.named(name, setting) for name in learners], "accuracy", small=small)
    kind = "small" if small else "whole"
    title = f"accuracies in {kind} episodes, trained on {setting}"
    notes = [_brackets(lines)]
    if small:
        notes.append("Small episodes: those that learners which descend can answer too; all are ranked by them.")
    return Table(title=title, columns=plain_columns("source", *learners), rows=lines, notes=notes)


def _lines(heading: Heading, rows: Rows, names: Sequence[str], metric: str, *, small: bool) -> list[list[Cell]]:
    """A line for each source, a cell for each learner."""
    unit: Unit = "ratio" if metric == "cscc" else "share"
    return [
        [tested.label, *(_cell(rows.get((name, tested.label, metric, small)), unit) for name in names)]
        for tested in heading.sources
    ]


def _gains(heading: Heading, result: ManySourcesResult) -> Table:
    known = {(one.learner, one.source): one for one in result.differences}
    lines: list[list[Cell]] = []
    for tested in heading.sources:
        cells: list[Cell] = [tested.label]
        for name in heading.learners:
            one = known.get((name, tested.label))
            cells.append(None if one is None else _quantity(one.value, "points", one.interval, one.population))
        lines.append(cells)
    slow = [name for name in heading.learners if name not in heading.fast]
    notes = ["Paired on the same episodes.", _brackets(lines)]
    if slow:
        notes.append(f"{', '.join(slow)}: in small episodes.")
    return Table(title=GAINS, columns=plain_columns("source", *heading.learners), rows=lines, notes=notes)


def _published(heading: Heading, result: ManySourcesResult) -> Table:
    known = {(one.learner, one.source): one.published for one in result.differences if one.published is not None}
    names = [name for name in heading.learners if name in {learner for learner, _ in known}]
    lines: list[list[Cell]] = [
        [label, *(_quantity(known.get((name, label)), "points") for name in names)]
        for label in dict.fromkeys(source for _, source in known)
    ]
    return Table(title=f"published {GAINS}", columns=plain_columns("source", *names), rows=lines)


def _ratios(heading: Heading, rows: Rows) -> Table:
    names = [heading.named(above, setting) for above, _ in heading.ratios for setting in heading.settings]
    published = [name for name in names if any(name == learner for learner, _ in heading.published_ratios)]
    lines = _lines(heading, rows, names, "cscc", small=False)
    for line, tested in zip(lines, heading.sources, strict=True):
        line += [_quantity(heading.published_ratios.get((name, tested.label)), "ratio") for name in published]
    notes = ["The unsupervised accuracy of a clusterer by the accuracy of prototypes, on the same episodes."]
    notes.append(_brackets(lines))
    notes += [_excess(heading, rows, above) for above, _ in heading.ratios]
    columns = plain_columns("source", *names, *(f"published, {name}" for name in published))
    return Table(title="CSCC", columns=columns, rows=lines if names else [], notes=notes)


def _excess(heading: Heading, rows: Rows, clusterer: str) -> str:
    """Where clusters score more than labels do, by more than the interval allows."""
    ratios = [row for row in rows.values() if row.metric == "cscc" and row.head == clusterer]
    above = [f"{row.source} ({row.setting})" for row in ratios if (_interval(row) or (0.0, 0.0))[0] > 1]
    return f"{clusterer}: above 1 beyond its interval on {', '.join(above) or 'no source'}."


def _grain(result: ManySourcesResult) -> Table:
    points = [point for point in result.points if point.axis in ("height", "one parent")]
    learners = list(dict.fromkeys(point.learner for point in points))
    lines: list[list[Cell]] = []
    for key in dict.fromkeys((point.setting, point.axis, point.low_x) for point in points):
        same = {point.learner: point for point in points if (point.setting, point.axis, point.low_x) == key}
        setting, axis, place = key
        kind = f"height {place:.0f}" if axis == "height" else ("one parent" if place else "any parents")
        count = next(iter(same.values())).episodes
        lines.append([setting, kind, count, *(_point(same.get(name)) for name in learners)])
    notes = [
        "Height: the longest way down WordNet from the node above all classes of an episode; low nodes are fine tasks.",
        "One parent: all classes of an episode have the same parent, such as a superclass of CIFAR-100.",
    ]
    columns = plain_columns("trained on", "classes", "episodes", *learners)
    return Table(title="fine and coarse tasks", columns=columns, rows=lines, notes=notes)


def _ranks(heading: Heading, result: ManySourcesResult) -> Table:
    known = {(rank.setting, rank.learner): rank for rank in result.ranks}
    lines: list[list[Cell]] = []
    for name in heading.ranked:
        cells: list[Cell] = [name]
        for setting in heading.settings:
            rank = known[setting, name]
            low, high = rank.interval
            cells.append(Quantity(value=rank.value, low=low, high=high, digits=2, population="episodes"))
        lines.append(cells)
    ends = [Quantity(value=result.friedman[setting], unit="p") for setting in heading.settings]
    critical = Quantity(value=result.critical_difference, digits=2)
    lines += [["Friedman's p", *ends], ["critical difference", *[critical] * len(heading.settings)]]
    notes = [
        "Mean places over sources in small episodes, 1 is best; intervals for more episodes of the same sources.",
        "Learners whose places differ by more than Nemenyi's critical difference also differ over other sources.",
    ]
    return Table(
        title="ranks over sources", columns=plain_columns("learner", *heading.settings), rows=lines, notes=notes
    )


def _claims(result: ManySourcesResult) -> Table:
    lines: list[list[Cell]] = [
        [row.learner, _cell(row, "points"), row.verdict] for row in result.rows if isinstance(row, ClaimRow)
    ]
    columns = plain_columns("claim", "ours", "verdict")
    return Table(title="directions that both documents share", columns=columns, rows=lines, notes=[_brackets(lines)])


def _brackets(lines: Sequence[Sequence[Cell]]) -> str:
    """Whom the intervals of a table are for, with the letter that stands behind those of each kind."""
    cells = [cell for line in lines for cell in line if isinstance(cell, Quantity) and cell.low is not None]
    there = [name for name in MARKS if name in {cell.population for cell in cells}]
    kinds = [f"{POPULATIONS[name].about}{f' ({MARKS[name]})' if MARKS[name] else ''}" for name in there]
    return f"In brackets ({at_level(LEVEL)}): {'; or '.join(kinds) or 'nothing'}."


def _interval(row: Row) -> tuple[float, float] | None:
    return row.quoted or row.intervals.get("episodes")


def _cell(row: Row | None, unit: Unit) -> Cell:
    if row is None:
        return None
    population = row.headline if row.quoted else "episodes"
    return _quantity(row.value, unit, _interval(row), population)


def _point(point: CurvePoint | None) -> Cell:
    return None if point is None else _quantity(point.value, "share", point.interval)


def _quantity(
    value: float | None, unit: Unit, interval: tuple[float, float] | None = None, population: str = ""
) -> Cell:
    if value is None:
        return None
    low, high = interval or (None, None)
    mark = "" if interval is None else MARKS.get(population, "")
    return Quantity(value=value, unit=unit, low=low, high=high, population=population, mark=mark)
