"""The typed tables of `score`: the axes, differences of sets, further measures, originality, agreement of critics."""

from collections.abc import Sequence

from fairshot.scoring.sample_scores import HUMAN, CriticAgreement, SampleScores, SetDifference, SuitedConcepts
from fairshot.scoring.set_scores import quantity_of
from fairshot.statistics.estimate import LEVEL
from fairshot.tables.table import Cell, Column, Quantity, Table
from fairshot.tables.words import at_level

FIRST = ("diversity", "recognizability", "copies", "distance")
WITH_INTERVALS = ("diversity", "recognizability", "distance")
ABREAST = 4  # sets whose further measures stand beside each other, and beside people
SETS = [Column(name="samples", code=True)]
PAIR = [Column(name="one", code=True), Column(name="other", code=True)]


def score_tables(scores: SampleScores) -> list[Table]:
    """All tables; what must be known of the numbers stands below the last one."""
    tables = [axes_table(scores), *published_tables(scores), *difference_tables(scores), *measure_tables(scores)]
    further = (_originality_table(scores), _rank_table(scores), _suited_table(scores), _agreement_table(scores))
    tables += [table for table in further if table.rows]
    notes = [*tables[-1].notes, *(f"Note: {note}." for note in scores.notes)]
    return [*tables[:-1], tables[-1].model_copy(update={"notes": notes})]


def axes_table(scores: SampleScores) -> Table:
    """Diversity, recognizability, copies and the distance to people: a line for each set."""
    present = [measure for measure in FIRST if any(row.metric == measure for row in scores.rows)]
    rows: list[list[Cell]] = [[name, *(_cell(scores, name, measure) for measure in present)] for name in scores.sets]
    counts = ", ".join(f"{name} {count}" for name, count in scores.samples_a_class.items())
    fresh = "other classes of this kind"
    if any("parents" in row.intervals for row in scores.rows):
        fresh += ", of other parents where they count one by one, as classes of one parent may be alike"
    asked = f"{scores.way}-way by {scores.recogniser}, each class asked for {scores.times} times"
    source = scores.source
    return Table(
        title=f"{scores.classes} classes of {source.name}, recipe {source.recipe}, by the critics {scores.critic}",
        columns=[*SETS, *(Column(name=measure) for measure in present)],
        rows=rows,
        notes=[f"Images per class: {counts}.", f"Intervals: {at_level(LEVEL)} for {fresh}; {asked}."],
    )


def published_tables(scores: SampleScores) -> list[Table]:
    """The paper's models at their published positions, beside the sets that are drawn by them."""
    rows: list[list[Cell]] = []
    for model in scores.published:
        published = (Quantity(value=model.diversity), Quantity(value=model.recognizability, unit="share"))
        names: list[str | None] = [*model.samples] or [None]
        for name in names:
            ours = [None if name is None else _plain_cell(scores, name, measure) for measure in FIRST[:2]]
            rows.append([model.name, name, ours[0], published[0], ours[1], published[1]])
    if not rows:
        return []
    heads = ("diversity", "published", "recognizability", "published")
    note = "Published: the base models of Boutin et al. 2022, read off Figure 3 to about 0.01 and 0.3 points."
    columns = [Column(name="model"), *SETS, *(Column(name=head) for head in heads)]
    return [Table(title="The paper's models, by the same critics", columns=columns, rows=rows, notes=[note])]


def difference_tables(scores: SampleScores) -> list[Table]:
    """Every two sets by each axis, and by each distance to people."""
    measures = list(dict.fromkeys(difference.metric for difference in scores.differences))
    distances = [measure for measure in measures if scores.measure(measure).unit == "" and "distance" in measure]
    axes = [measure for measure in measures if measure not in distances]
    known = {(d.first, d.second, d.metric): d for d in scores.differences}
    tables = [_differences(scores, known, some) for some in (axes, distances) if some]
    if distances:
        tables[-1].notes.append("A difference of distances is below 0 where the one is nearer to people.")
    return tables


def _differences(
    scores: SampleScores, known: dict[tuple[str, str, str], SetDifference], measures: Sequence[str]
) -> Table:
    """A line for every two sets, with two columns for each measure: the difference and its p after Holm."""
    pairs = dict.fromkeys((first, second) for first, second, measure in known if measure in measures)
    columns = [column for name in measures for column in (Column(name=name), Column(name="p"))]
    rows: list[list[Cell]] = []
    for first, second in pairs:
        row: list[Cell] = [first, second]
        for measure in measures:
            row += _difference_cells(scores, known.get((first, second, measure)))
        rows.append(row)
    return Table(
        title="One minus the other, class by class and in the same trials",
        columns=[*PAIR, *columns],
        rows=rows,
        notes=["p: of no difference, after Holm over the pairs."],
    )


def _difference_cells(scores: SampleScores, difference: SetDifference | None) -> list[Cell]:
    if difference is None:
        return [None, None]
    unit = scores.measure(difference.metric).unit
    low, high = difference.interval or (None, None)
    value = Quantity(
        value=difference.value,
        unit="points" if unit == "share" else unit,
        low=low,
        high=high,
        population=difference.population if difference.interval else "",
        signed=True,
        why=difference.note,
    )
    return [value, None if difference.holm is None else Quantity(value=difference.holm, unit="p")]


def measure_tables(scores: SampleScores) -> list[Table]:
    """All further measures, a line each; some sets at a time, each time beside people."""
    others = [name for name in scores.sets if name != HUMAN]
    parts = [others[start : start + ABREAST] for start in range(0, max(len(others), 1), ABREAST)]
    tables = [_measure_table(scores, [*part, HUMAN]) for part in parts]
    present = [name for name in scores.measure_notes if any(row.metric == name for row in scores.rows)]
    tables[-1].notes.extend(f"{name}: {scores.measure(name).about}." for name in present)
    if scores.neighbours is not None:
        tables[-1].notes.append(f"Balls reach out to neighbour {scores.neighbours}.")
    return tables


def _measure_table(scores: SampleScores, sets: Sequence[str]) -> Table:
    rows: list[list[Cell]] = []
    for measure in scores.measure_notes:
        if measure not in FIRST and any(scores.row(name, measure) for name in sets):
            rows.append([measure, *(_cell(scores, name, measure) for name in sets)])
    return Table(columns=[Column(name="measure"), *(Column(name=name) for name in sets)], rows=rows)


def _originality_table(scores: SampleScores) -> Table:
    """How often samples of about the same originality are recognised, beside people's drawings."""
    bands = max((len(curve) for curve in scores.originality.values()), default=0)
    rows: list[list[Cell]] = [
        [name, *(_share(band.recognizability) for band in curve)] for name, curve in scores.originality.items()
    ]
    if rows:
        curve = next(iter(scores.originality.values()))
        rows.append([HUMAN, *(_share(band.human) for band in curve)])
    return Table(
        title="Recognised, from the least to the most original fifth of people's range",
        columns=[*SETS, *(Column(name=str(number + 1)) for number in range(bands))],
        rows=rows,
    )


def _rank_table(scores: SampleScores) -> Table:
    """The tenths of each class from the least to the most original, on a scale of each set's own."""
    ranks = max((len(curve) for curve in scores.originality_ranks.values()), default=0)
    rows: list[list[Cell]] = []
    for name, curve in scores.originality_ranks.items():
        shares = [_share(rank.recognizability) for rank in curve]
        rows.append([name, *shares, *([None] * (ranks - len(shares)))])
    return Table(
        title="Recognised, from the least to the most original tenth of a set's own samples of each class",
        columns=[*SETS, *(Column(name=str(number + 1)) for number in range(ranks))],
        rows=rows,
    )


def _suited_table(scores: SampleScores) -> Table:
    """Whether the one is farther from people than the other where there is more to draw."""
    return Table(
        title="Which concepts suit which set",
        columns=[*PAIR, *(Column(name=name) for name in ("by", "Spearman", "p", "nearest of one", "of other", "all"))],
        rows=[_suited_row(pair) for pair in scores.suited],
        notes=[
            "Spearman: of how much there is to draw, and how much farther the one is from people than the other, over "
            "classes; above 0, the other suits what is long. Nearest: the mean of the classes, up to eight, on which a "
            "set is nearest to people."
        ]
        if scores.suited
        else [],
    )


def _suited_row(pair: SuitedConcepts) -> list[Cell]:
    low, high = pair.interval or (None, None)
    means = (pair.means[pair.first], pair.means[pair.second], pair.mean)
    correlation = [Quantity(value=pair.spearman, low=low, high=high), Quantity(value=pair.p, unit="p")]
    return [pair.first, pair.second, pair.amount, *correlation, *(Quantity(value=mean, digits=1) for mean in means)]


def _agreement_table(scores: SampleScores) -> Table:
    """How alike two measures order people's classes."""
    return Table(
        title="People's classes, ordered by two measures",
        columns=[Column(name=name) for name in ("by", "and by", "Spearman", "p", "R2")],
        rows=[_agreement_row(pair) for pair in (*scores.agreement, *scores.complexity)],
    )


def _agreement_row(pair: CriticAgreement) -> list[Cell]:
    low, high = pair.interval or (None, None)
    spearman = Quantity(value=pair.spearman, low=low, high=high)
    return [pair.first, pair.second, spearman, Quantity(value=pair.p, unit="p"), Quantity(value=pair.r_squared)]


def _cell(scores: SampleScores, name: str, measure: str) -> Cell:
    row = scores.row(name, measure)
    return None if row is None else quantity_of(scores, row, with_interval=measure in WITH_INTERVALS)


def _plain_cell(scores: SampleScores, name: str, measure: str) -> Cell:
    row = scores.row(name, measure)
    return None if row is None else quantity_of(scores, row, with_interval=False)


def _share(value: float | None) -> Cell:
    return None if value is None else Quantity(value=value, unit="share", digits=0)
