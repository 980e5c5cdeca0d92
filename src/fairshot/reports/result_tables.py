"""Results as typed tables: learners by tasks beside what was published, two kinds of episodes, coverage."""

from collections.abc import Sequence

from fairshot.reports.coverage import KINDS, OF_PROBES
from fairshot.reports.evaluations import QUOTED, explanations, fixed_lists
from fairshot.reports.sides import quoted_populations, sides, training_lines
from fairshot.results.population_headings import FIXED_LIST, POPULATIONS
from fairshot.results.schema import Result, Row
from fairshot.results.study_rows import CoverageRow
from fairshot.statistics.estimate import LEVEL
from fairshot.tables.table import Cell, Column, Quantity, Table, plain_columns
from fairshot.tables.words import at_level, count_of

NO_REASON = "none can be given"


def published_table(result: Result) -> Table:
    """A line for each learner and metric, the tasks side by side, each with what a paper reports."""
    rows = {(row.learner, row.task, row.metric): row for row in result.rows}
    tasks = list(dict.fromkeys(row.task for row in result.rows))
    several = len({row.metric for row in result.rows}) > 1
    timed = any(row.seconds is not None for row in result.rows)
    columns = [Column(name="learner", code=True), *(plain_columns("metric") if several else [])]
    lines: list[list[Cell]] = []
    pairs = list(dict.fromkeys((row.learner, row.metric) for row in result.rows))
    for learner, metric in pairs:
        lines.append([learner, *([metric] if several else [])])
    for task in tasks:
        below = [rows.get((learner, task, metric)) for learner, metric in pairs]
        sampler, published = _any_sampler(below), any(row and row.published is not None for row in result.rows)
        columns += [
            Column(name=task, strong=True),
            *plain_columns(*[POPULATIONS["episodes"].heading] * sampler, *["published"] * published),
        ]
        for line, row in zip(lines, below, strict=True):
            line.append(quoted_cell(row))
            line += [_sampler_cell(row)] if sampler else []
            line += [_published_cell(row)] if published else []
    if timed:
        columns += plain_columns("seconds per episode")
        for line, (learner, metric) in zip(lines, pairs, strict=True):
            line.append(_seconds_cell([row for row in result.rows if (row.learner, row.metric) == (learner, metric)]))
    return Table(title=_title(result), columns=columns, rows=lines, notes=explanations(result))


def view_tables(result: Result, view: str) -> list[Table]:
    """The tables of a study that has none of its own, by its view."""
    if view == "coverage":
        return [coverage_table(result)]
    if view == "tasks":
        return [published_table(result)]
    pairs, others = sides_table(result, alone=False), sides(result)[1]
    pairs = pairs.model_copy(update={"notes": sides_notes(result)})
    return [pairs, others_table(result, others)] if others else [pairs]


def sides_table(result: Result, *, alone: bool = True) -> Table:
    """Any classes and classes of one parent side by side, and the ratio of their errors.

    With `alone`, tasks without a counterpart stand beside them in columns of their own.
    """
    pairs, others = sides(result)
    published = any(row.published is not None for row in result.rows)
    further = {(row.learner, row.task): row for row in others if alone}
    columns = [Column(name="learner", code=True), Column(name="episodes of"), Column(name="any classes", strong=True)]
    columns += [Column(name="within one parent", strong=True), Column(name="ratio of errors")]
    tasks = list(dict.fromkeys(task for _, task in further))
    columns += [Column(name=task, strong=True) for task in tasks]
    columns += plain_columns("published, any", "published, within") if published else []
    lines = []
    for pair in pairs:
        ratio = None if pair.ratio is None else Quantity(value=pair.ratio, unit="ratio", digits=1)
        line: list[Cell] = [pair.any.learner, pair.any.task, quoted_cell(pair.any), quoted_cell(pair.within), ratio]
        line += [quoted_cell(further.get((pair.any.learner, task)), "episodes") for task in tasks]
        line += [_published_cell(pair.any), _published_cell(pair.within)] if published else []
        lines.append(line)
    return Table(title=_title(result), columns=columns, rows=lines)


def others_table(result: Result, rows: Sequence[Row]) -> Table:
    """Rows without a counterpart, with the interval over episodes."""
    fixed = all(row.scores is not None for row in rows)
    heading = (FIXED_LIST if fixed else POPULATIONS["episodes"]).heading
    columns = [Column(name="learner", code=True), *plain_columns("episodes of", rows[0].metric, heading)]
    lines: list[list[Cell]] = []
    for row in rows:
        low, high = row.intervals.get("episodes") or (None, None)
        interval = Quantity(value=None, unit="share", low=low, high=high, population="episodes")
        lines.append([row.learner, row.task, Quantity(value=row.value, unit="share"), interval])
    notes = [f"{FIXED_LIST.heading.capitalize()}: {FIXED_LIST.about}."] if fixed_lists(result) else []
    return Table(columns=columns, rows=lines, notes=notes)


def _title(result: Result) -> str:
    """What was measured, and in how many episodes."""
    metrics = list(dict.fromkeys(row.metric for row in result.rows))
    episodes = count_of(max((row.episodes for row in result.rows), default=0), "episode")
    return f"{' and '.join(metrics).capitalize()}, {episodes}"


def sides_notes(result: Result) -> list[str]:
    """Whom the brackets are for, how learners were trained, and all else that a reader must know."""
    known = [line for line in explanations(result)[1:] if line != QUOTED]
    brackets = f"In brackets ({at_level(LEVEL)}): {quoted_populations(sides(result)[0])}."
    return [brackets, *training_lines(result), *known]


def coverage_table(result: Result) -> Table:
    """How often intervals held, a line for each setting and number of episodes, or of draws for a probe."""
    rows = [row for row in result.rows if isinstance(row, CoverageRow)]
    probes = any(row.population in OF_PROBES for row in rows)
    drawn, rival = ("draws", "mean ± sd of 3 covers") if probes else ("episodes", "usual covers")
    columns = plain_columns("population", "benchmark", "task", "learner", drawn, "covers", "width", "none", rival)
    repetitions = max((row.repetitions for row in rows), default=0)
    held = f"Of {repetitions:,} repetitions: how often a {at_level(LEVEL)} interval holds the population's value"
    usual = "the mean ± sd of three seeds" if probes else "the usual interval"
    others = f"its mean width beside the ideal one, how often none was given, and how often {usual} holds it"
    return Table(columns=columns, rows=[_coverage_cells(row) for row in rows], notes=[f"{held}, {others}."])


def _coverage_cells(row: CoverageRow) -> list[Cell]:
    why = "no interval was given" if row.width is None else ""
    covers = Quantity(value=None if row.width is None else row.value, unit="share", why=why)
    width = Quantity(value=row.width, unit="ratio", why=why)
    none, usual = (Quantity(value=value, unit="share", digits=0) for value in (row.null, row.usual))
    return [KINDS[row.population], row.part, row.task, row.learner, row.episodes, covers, width, none, usual]


def quoted_cell(row: Row | None, population: str = "") -> Cell:
    """The value of a row with the interval for a population, or with the one to quote."""
    if row is None:
        return None
    population = population or _headline(row)
    low, high = row.intervals.get(population) or (None, None)
    why = _reason(row, population) if low is None or row.value is None else ""
    return Quantity(
        value=row.value,
        unit="points" if row.difference else "share",
        low=low,
        high=high,
        population=population,
        why=why,
    )


def _headline(row: Row) -> str:
    """The population whose interval is to be quoted; the first version of the statistics did not say which."""
    if row.headline:
        return row.headline
    known = [name for name in ("classes", "parents") if row.intervals.get(name)]
    return known[0] if known else "classes" if "classes" in row.intervals else "episodes"


def _reason(row: Row, population: str) -> str:
    if row.value is None:
        return ", ".join(row.notes) or NO_REASON
    told = [note.partition(": ") for note in row.notes]
    return next((reason for name, _, reason in told if name == population), NO_REASON)


def _any_sampler(rows: Sequence[Row | None]) -> bool:
    """Whether some interval to quote is not that of the sampler, which then gets a column of its own."""
    return any(row is not None and "episodes" in row.intervals and _headline(row) != "episodes" for row in rows)


def _sampler_cell(row: Row | None) -> Cell:
    if row is None or row.value is None or row.intervals.get("episodes") is None or _headline(row) == "episodes":
        return None
    low, high = row.intervals["episodes"] or (None, None)
    unit = "points" if row.difference else "share"
    return Quantity.model_validate({"value": None, "unit": unit, "low": low, "high": high, "population": "episodes"})


def _published_cell(row: Row | None) -> Cell:
    return None if row is None or row.published is None else Quantity(value=row.published, unit="share")


def _seconds_cell(rows: Sequence[Row]) -> Cell:
    seconds = [row.seconds for row in rows if row.seconds is not None]
    return Quantity(value=sum(seconds) / len(seconds), unit="seconds") if seconds else None
