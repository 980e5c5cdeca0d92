"""An evaluation as tables: one for each task, with a row for each learner and a column for each population."""

from collections.abc import Sequence

from fairshot.results.population_headings import FIXED_LIST, POPULATIONS, Population
from fairshot.results.schema import Result, Row, ShotCurve
from fairshot.statistics.estimate import LEVEL, has_width
from fairshot.tables.table import Cell, Column, Quantity, Table, Unit
from fairshot.tables.words import at_level, count_of, percent

OF_RUNS = ("runs", "runs and classes")  # written below the table, of the one row that has them
QUOTED = "*: the interval to quote, which is that for parents where they explain a part of how classes differ."
MIXED = (
    "Stars stand on different populations: in each row on the widest one that its answers allow. So do not compare "
    "these intervals with each other; 'compare' tests the differences."
)
MOST_REASONS = 4  # why intervals are missing, before it is cut short


def evaluation_tables(result: Result) -> list[Table]:
    """A table for each task and metric; what holds for all of them stands below the last."""
    cells = dict.fromkeys((row.task, row.metric) for row in result.rows)
    tables = [_task_table(result, *cell) for cell in cells]
    if tables:
        tables[-1] = tables[-1].model_copy(update={"notes": explanations(result)})
    return tables


def flat_table(result: Result) -> Table:
    """One row for each learner, task and metric with every interval that any could have: what frames are made of."""
    called = {name: "usual" if name == "episodes" else name for name in POPULATIONS}
    ends = [f"{name}.{end}" for name in called.values() for end in ("low", "high")]
    names = ["learner", "task", "part", "metric", "shot", "episodes", "value", *ends, "published"]
    rows: list[list[Cell]] = [
        [
            *(row.learner, row.task, row.part, row.metric, row.shot, row.episodes, row.value),
            *(end for name in POPULATIONS for end in row.intervals.get(name) or (None, None)),
            row.published,
        ]
        for row in result.rows
    ]
    return Table(title=result.source.name, columns=[Column(name=name) for name in names], rows=rows)


def source_line(result: Result) -> str:
    """Which data it was, and how much of it."""
    source = result.source
    counts = [count_of(source.classes, "class")] if source.classes else []
    counts += [count_of(source.images, "image")] if source.images else []
    return f"{source.name} ({', '.join([*counts, f'recipe {source.recipe}'])})"


def fixed_lists(result: Result) -> list[str]:
    """The tasks whose episodes were published one by one, such as Lake's 20 runs: there are no more of them."""
    return list(dict.fromkeys(row.task for row in result.rows if row.scores is not None))


def _task_table(result: Result, task: str, metric: str) -> Table:
    rows = [row for row in result.rows if (row.task, row.metric) == (task, metric)]
    populations = [name for name in POPULATIONS if name not in OF_RUNS and any(name in row.intervals for row in rows)]
    published = any(row.published is not None for row in rows)
    headings = [_population(result, task, name).heading for name in populations]
    columns = ["learner", metric, *headings, *(["published"] if published else [])]
    cells: list[list[Cell]] = [
        [
            row.learner,
            Quantity(value=row.value, unit=unit_of(row), digits=2),
            *(_interval(row, name) for name in populations),
            *([_published(row)] if published else []),
        ]
        for row in rows
    ]
    count = count_of(max(row.episodes for row in rows), "episode")
    title = f"{task}, {count} of {source_line(result)}"
    return Table(title=title, columns=[Column(name=name, code=name == "learner") for name in columns], rows=cells)


def unit_of(row: Row) -> Unit:
    """What the values of a row count: a ratio of accuracies is none itself."""
    return "ratio" if row.metric == "cscc" else "share"


def _population(result: Result, task: str, name: str) -> Population:
    return FIXED_LIST if name == "episodes" and task in fixed_lists(result) else POPULATIONS[name]


def _interval(row: Row, population: str) -> Cell:
    """Both ends of an interval; nothing where the row does not speak about the population."""
    if population not in row.intervals:
        return None
    ends = row.intervals[population]
    quoted = population == row.headline and ends is not None and has_width(ends) and len(row.intervals) > 1
    low, high = ends or (None, None)
    return Quantity(value=None, unit=unit_of(row), low=low, high=high, population=population, quoted=quoted)


def _published(row: Row) -> Cell:
    return None if row.published is None else Quantity(value=row.published, unit=unit_of(row))


def explanations(result: Result) -> list[str]:
    """What the intervals are for, why some are missing, and all notes."""
    lines = [_legend(result)]
    families = any(row.headline == "parents" for row in result.rows)
    lines += [QUOTED] if families and any(len(row.intervals) > 1 for row in result.rows) else []
    lines += [MIXED] if _mixed(result) else []
    lines += [line for row in result.rows for line in _without_width(row)]
    lines += [line for row in result.rows for line in _run_intervals(row)]
    timed = [f"{row.learner} {row.seconds:.2f}" for row in result.rows if row.seconds is not None]
    lines += [f"Seconds an episode: {', '.join(timed)}."] if timed else []
    lines += [f"{row.learner}, {row.task}: {note}." for row in result.rows if row.value is None for note in row.notes]
    lines += _missing_intervals(result.rows)
    warnings = dict.fromkeys(warning for row in result.rows for warning in row.warnings)
    lines += [f"Note: {note}." for note in (*result.notes, *warnings)]
    lines += [_of_family(curve) for curve in result.shots if curve.sentence]
    if result.limited:
        lines.append(f"This is not the published setting: {result.preset}.")
    return lines


def _legend(result: Result) -> str:
    fixed = fixed_lists(result)
    drawn = {name for row in result.rows for name in row.intervals if name != "episodes" or row.task not in fixed}
    shown = [
        *(population for name, population in POPULATIONS.items() if name in drawn),
        *([FIXED_LIST] if fixed else []),
    ]
    return f"{at_level(LEVEL)} intervals. " + " ".join(f"{_capital(one.heading)}: {one.about}." for one in shown)


def _of_family(curve: ShotCurve) -> str:
    """The sentence about a curve, which begins with its learner, with the family of tasks beside that."""
    return f"{curve.learner}, {curve.family}: {curve.sentence.removeprefix(f'{curve.learner}: ')}"


def _without_width(row: Row) -> list[str]:
    """That an interval to quote has no width, which is no certainty: nothing varied, so nothing is known of it."""
    ends = row.intervals.get(row.headline)
    if ends is None or has_width(ends):
        return []
    alike = f"all {count_of(row.episodes, 'episode')} score {percent(row.number)}"
    return [
        f"{row.learner}, {row.task}: no interval is to be quoted, because {alike}: how much others vary is not known."
    ]


def _mixed(result: Result) -> bool:
    """Whether rows of one table have their stars on different populations."""
    starred: dict[tuple[str, str], set[str]] = {}
    for row in result.rows:
        if row.headline and row.quoted is not None and has_width(row.quoted) and len(row.intervals) > 1:
            starred.setdefault((row.task, row.metric), set()).add(row.headline)
    return any(len(populations) > 1 for populations in starred.values())


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _run_intervals(row: Row) -> list[str]:
    """The intervals of a mean over training runs, which have no column."""
    intervals = {name: row.intervals[name] for name in OF_RUNS if row.intervals.get(name)}
    if not intervals:
        return []
    shown = [
        f"{POPULATIONS[name].heading} {100 * low:.1f} to {100 * high:.1f}" for name, (low, high) in intervals.items()
    ]
    return [f"{row.learner}, mean of {count_of(len(row.runs), 'run')}, {row.task}: {', '.join(shown)}."]


def _missing_intervals(rows: Sequence[Row]) -> list[str]:
    able = [row for row in rows if row.value is not None]
    missing = [f"{row.learner}, {row.task}: no interval for {note}." for row in able for note in row.notes]
    missing = list(dict.fromkeys(missing))  # a ratio often lacks what its accuracies lack
    more = len(missing) - MOST_REASONS
    if more <= 0:
        return missing
    are = "1 more interval is" if more == 1 else f"{more} more intervals are"
    return [*missing[:MOST_REASONS], f"{are} missing for such reasons: --json has them all."]
