"""The tables of learners that were trained on one source and on many."""

from collections.abc import Mapping

from fairshot.results.schema import Row
from fairshot.results.source_rows import CurvePoint, ManySourcesResult
from fairshot.results.study_rows import ClaimRow
from fairshot.studies.kinds.source_findings import Heading
from fairshot.tables.table import Cell, Quantity, Table, plain_columns

GAINS = "gains by training on many sources"


def source_tables(heading: Heading, result: ManySourcesResult) -> list[Table]:
    """Sources, accuracies, gains, ratios, grain, ranks and claims."""
    rows = {(row.learner, row.task, row.metric): row for row in result.rows}
    tables = [_sources(heading, result), *(_accuracies(heading, rows, setting) for setting in heading.settings)]
    tables += [_gains(heading, result), _published(heading, result)]
    tables += [_ratios(heading, rows)] if heading.ratios else []
    tables += [_grain(result), _ranks(heading, result), _claims(result)]
    return [table for table in tables if table.rows]


def _sources(heading: Heading, result: ManySourcesResult) -> Table:
    lines: list[list[Cell]] = [
        [tested.label, "yes" if tested.trained else "never", result.sources.get(tested.label, "")]
        for tested in heading.sources
    ]
    return Table(
        title="sources", columns=plain_columns("source", "other classes trained on", "what it is and lacks"), rows=lines
    )


def _accuracies(heading: Heading, rows: Mapping[tuple[str, str, str], Row], setting: str) -> Table:
    lines: list[list[Cell]] = []
    for tested in heading.sources:
        found = [rows.get((heading.named(name, setting), tested.label, "accuracy")) for name in heading.learners]
        lines.append([tested.label, *(_cell(row, "share") for row in found)])
    slow = [name for name in heading.learners if name not in heading.fast]
    notes = (
        [f"{', '.join(slow)}: small episodes, so their numbers are not those of the others' episodes."] if slow else []
    )
    return Table(
        title=f"accuracies, trained on {setting}",
        columns=plain_columns("source", *heading.learners),
        rows=lines,
        notes=notes,
    )


def _gains(heading: Heading, result: ManySourcesResult) -> Table:
    known = {(one.learner, one.source): one for one in result.differences}
    lines: list[list[Cell]] = []
    for tested in heading.sources:
        cells: list[Cell] = [tested.label]
        for name in heading.learners:
            one = known.get((name, tested.label))
            low, high = (None, None) if one is None or one.interval is None else one.interval
            cells.append(
                None
                if one is None
                else Quantity(value=one.value, unit="points", low=low, high=high, population=one.population)
            )
        lines.append(cells)
    note = "Paired on the same episodes; intervals for other classes where there is one, else for other images."
    return Table(title=GAINS, columns=plain_columns("source", *heading.learners), rows=lines, notes=[note])


def _published(heading: Heading, result: ManySourcesResult) -> Table:
    names = [
        name for name in heading.learners if any(one.published for one in result.differences if one.learner == name)
    ]
    known = {(one.learner, one.source): one.published for one in result.differences}
    lines: list[list[Cell]] = [
        [label, *(_points(known.get((name, label))) for name in names)]
        for label in dict.fromkeys(one.source for one in result.differences if one.published is not None)
    ]
    return Table(title=f"published {GAINS}", columns=plain_columns("source", *names), rows=lines)


def _ratios(heading: Heading, rows: Mapping[tuple[str, str, str], Row]) -> Table:
    names = [heading.named(above, setting) for setting in heading.settings for above, _ in heading.ratios]
    lines: list[list[Cell]] = [
        [tested.label, *(_cell(rows.get((name, tested.label, "cscc")), "ratio") for name in names)]
        for tested in heading.sources
    ]
    note = "The unsupervised accuracy of a clusterer by the accuracy of prototypes, on the same episodes."
    return Table(title="CSCC", columns=plain_columns("source", *names), rows=lines, notes=[note])


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
    notes = ["Height: the longest way down WordNet from the node above all classes of an episode."]
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
    lines.append(["Friedman's p", *ends])
    lines.append(
        ["critical difference", *[Quantity(value=result.critical_difference, digits=2)] * len(heading.settings)]
    )
    notes = ["Mean places over sources, in small episodes; intervals for more episodes, Nemenyi's for other sources."]
    return Table(
        title="ranks over sources", columns=plain_columns("learner", *heading.settings), rows=lines, notes=notes
    )


def _claims(result: ManySourcesResult) -> Table:
    lines: list[list[Cell]] = [
        [row.learner, _cell(row, "points"), row.verdict] for row in result.rows if isinstance(row, ClaimRow)
    ]
    return Table(
        title="directions that both documents share", columns=plain_columns("claim", "ours", "verdict"), rows=lines
    )


def _cell(row: Row | None, unit: str) -> Cell:
    if row is None:
        return None
    interval = row.quoted or row.intervals.get("episodes")
    low, high = (None, None) if interval is None else interval
    return Quantity.model_validate({"value": row.value, "unit": unit, "low": low, "high": high})


def _point(point: CurvePoint | None) -> Cell:
    if point is None:
        return None
    low, high = (None, None) if point.interval is None else point.interval
    return Quantity(value=point.value, unit="share", low=low, high=high)


def _points(value: float | None) -> Cell:
    return None if value is None else Quantity(value=value, unit="points")
