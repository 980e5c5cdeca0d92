"""A diagnosis in the terminal: the answer in a line, then a section for each question, every line in plain words."""

from collections.abc import Sequence

from rich.table import Table as RichTable
from rich.text import Text

from fairshot.evaluation.diagnosis import Calibration, Diagnoses, Diagnosis
from fairshot.reports.sections import Section, plain_table
from fairshot.statistics.estimate import LEVEL
from fairshot.statistics.geometry import Geometry
from fairshot.statistics.per_class import Rate, Rates
from fairshot.statistics.tails import Tails
from fairshot.tables.table import Cell, Column, Quantity, Table
from fairshot.tables.words import at_level, count_of, plain, signed

BAR = 24  # characters of a full bar
SHOWN = 3  # classes and pairs at either end

Lines = list[str | RichTable]


def summary(found: Diagnosis | Diagnoses) -> str:
    """How often each learner is right, and how often in its worst episodes."""
    return "\n".join(_answer(diagnosis) for diagnosis in _every(found))


def tables(found: Diagnosis | Diagnoses) -> list[Table]:
    """Every class first, then pairs, episodes, support sets, calibration, embedding and times."""
    return [table for diagnosis in _every(found) for table in _typed_tables(diagnosis)]


def sections(found: Diagnosis | Diagnoses) -> list[Section]:
    """One learner and task after the other: the answer, then a section for each question."""
    return [section for diagnosis in _every(found) for section in _sections(diagnosis)]


def _every(found: Diagnosis | Diagnoses) -> Sequence[Diagnosis]:
    return [found] if isinstance(found, Diagnosis) else found.rows


def _answer(diagnosis: Diagnosis) -> str:
    question, worst = diagnosis.question, diagnosis.scores.tails.worst_tenth
    asked = f"{question.task}, {count_of(question.episodes, 'episode')} of {question.source.name}"
    right = f"{_percent(diagnosis.value)} right on average, {_percent(worst)} in the worst tenth of the episodes"
    return f"{question.learner}: {right} ({asked})."


def _typed_tables(diagnosis: Diagnosis) -> list[Table]:
    learner = diagnosis.question.learner
    made = [
        _rates(f"{learner}: classes", "class", "right", diagnosis.classes.rows),
        _rates(f"{learner}: pairs of classes", "pair", "confused", diagnosis.confused),
        _measures(diagnosis),
        _profile(f"{learner}: episodes by accuracy", diagnosis.scores.tails),
        _reliability(f"{learner}: calibration", diagnosis.calibration),
    ]
    return [table for table in made if table.rows]


def _rates(title: str, name: str, value: str, rates: Sequence[Rate]) -> Table:
    columns = [Column(name=heading) for heading in (name, value, "expected", "episodes", "queries")]
    rows: list[list[Cell]] = [
        [
            rate.name,
            Quantity(value=rate.value, unit="share", low=rate.low, high=rate.high, population="episodes"),
            Quantity(value=rate.shrunken, unit="share"),
            rate.meetings,
            rate.queries,
        ]
        for rate in rates
    ]
    return Table(title=title, columns=columns, rows=rows)


def _measures(diagnosis: Diagnosis) -> Table:
    scores, calibration, geometry, times = (
        diagnosis.scores,
        diagnosis.calibration,
        diagnosis.geometry,
        diagnosis.times,
    )
    low, high = scores.intervals.get("episodes") or (None, None)
    mean = Quantity(value=scores.value, unit="share", low=low, high=high, population="episodes")
    measures: dict[str, Cell] = {
        "mean accuracy": mean,
        "worst tenth of the episodes": Quantity(value=scores.tails.worst_tenth, unit="share"),
        "worst twentieth of the episodes": Quantity(value=scores.tails.worst_twentieth, unit="share"),
    }
    if diagnosis.support is not None:
        support = diagnosis.support
        measures["worst support found"] = Quantity(value=support.worst, unit="share")
        measures["best support found"] = Quantity(value=support.best, unit="share")
    measures |= {
        "calibration error of all queries": Quantity(value=calibration.pooled_ece, unit="points"),
        "Brier score": Quantity(value=calibration.brier, digits=3),
        "variance between classes": Quantity(value=geometry.between, unit="share"),
        "silhouette": Quantity(value=geometry.silhouette),
        "hubness": Quantity(value=geometry.hubness),
        "seconds per image": Quantity(value=times.image_seconds, unit="seconds", digits=6),
        "seconds per episode": Quantity(value=times.episode_seconds, unit="seconds", digits=6),
    }
    columns = [Column(name="measure"), Column(name="value")]
    return Table(
        title=f"{diagnosis.question.learner}: measures",
        columns=columns,
        rows=[[name, cell] for name, cell in measures.items()],
    )


def _profile(title: str, tails: Tails) -> Table:
    columns = [Column(name="accuracy of at least"), Column(name="episodes")]
    rows: list[list[Cell]] = [
        [Quantity(value=least, unit="share", digits=0), Quantity(value=share, unit="share")]
        for least, share in tails.profile.items()
    ]
    return Table(title=title, columns=columns, rows=rows)


def _reliability(title: str, calibration: Calibration) -> Table:
    columns = [Column(name=heading) for heading in ("it says", "is right", "queries")]
    rows: list[list[Cell]] = [
        [Quantity(value=row.stated, unit="share"), Quantity(value=row.right, unit="share"), row.queries]
        for row in calibration.table
        if row.queries
    ]
    return Table(title=title, columns=columns, rows=rows)


def _sections(diagnosis: Diagnosis) -> list[Section]:
    pairs: Lines = [_rate_table("pair", diagnosis.confused)] if diagnosis.confused else []
    made: list[tuple[str, Lines]] = [
        ("", [_answer(diagnosis)]),
        ("Episodes: how bad are the bad ones?", _tails(diagnosis.value, diagnosis.scores.tails)),
        ("Classes: which are hard?", _classes(diagnosis.classes, fixed=diagnosis.question.fixed)),
        ("Pairs: which classes are taken for each other?", pairs),
        ("Support images: how much depends on them?", _support(diagnosis)),
        ("Calibration: is it right as often as it says?", _calibration(diagnosis.calibration)),
        ("Embedding: do classes lie apart, and are there hubs?", _geometry(diagnosis.geometry)),
        ("Wall time on this machine", _times(diagnosis)),
        ("Notes", [f"{note[:1].upper()}{note[1:]}." for note in diagnosis.notes]),
    ]
    return [Section(heading, content) for heading, content in made if content]


def _tails(value: float, tails: Tails) -> Lines:
    middle = ", ".join(f"{100 * level:g}%: {100 * score:.0f}%" for level, score in tails.quantiles.items())
    rarely = 100 * tails.quantiles[0.05]
    table = plain_table("accuracy of at least", "episodes", "")
    for least, share in _changing(tails.profile):
        table.add_row(f"{100 * least:.0f}%", _percent(share), _bar(share))
    return [
        f"Mean accuracy {_percent(value)}.",
        f"Mean of the worst tenth of the episodes {_percent(tails.worst_tenth)} (CVaR at 10%), "
        f"of the worst twentieth {_percent(tails.worst_twentieth)}.",
        f"At least one episode in twenty gets {rarely:.0f}% or less; all such quantiles: {middle}.",
        table,
    ]


def _changing(profile: dict[float, float]) -> list[tuple[float, float]]:
    """Every tenth of the profile, from the last score that all episodes reach to the first that none does."""
    steps = [(least, share) for least, share in profile.items() if round(20 * least) % 2 == 0]
    first = max(at for at, (_, share) in enumerate(steps) if share == 1)
    last = next((at for at, (_, share) in enumerate(steps) if share == 0), len(steps) - 1)
    return steps[first : last + 1]


def _classes(classes: Rates, *, fixed: bool) -> Lines:
    rows = classes.rows
    ends = rows if len(rows) <= 2 * SHOWN else (*rows[:SHOWN], *rows[-SHOWN:])
    lines: Lines = [_rate_table("class", ends)]
    if len(rows) > len(ends):
        lines.insert(0, f"The {SHOWN} worst and the {SHOWN} best of {len(rows)} classes:")
    others = "others made like the episodes of this fixed list" if fixed else "more episodes of the same images"
    lines += [
        f"{at_level(LEVEL)} intervals for {others}, each for a class that was named beforehand.",
        "The worst of many classes look worse than they are, since bad luck put them there too: trust 'expected', "
        "which is drawn towards the mean by the share of noise.",
    ]
    if classes.deviation is not None and classes.noise is not None:
        differ = plain(100 * classes.deviation)
        spread = f"Beyond noise, classes differ by {differ} points (standard deviation)"
        known = f"{spread}; {100 * classes.noise:.0f}% of the variance seen is noise."
        lines.append("Classes do not differ beyond noise." if differ == "0.0" else known)
    return lines


def _rate_table(what: str, rates: Sequence[Rate]) -> RichTable:
    value = "right" if what == "class" else "confused"
    table = plain_table(value, f"{at_level(LEVEL)} interval", "expected", "episodes", "queries", first=what)
    for rate in rates:
        interval = "-" if rate.low is None or rate.high is None else f"{100 * rate.low:.1f}–{100 * rate.high:.1f}"
        expected = "-" if rate.shrunken is None else _percent(rate.shrunken)
        numbers = _percent(rate.value), interval, expected, f"{rate.meetings:,}", f"{rate.queries:,}"
        table.add_row(Text(rate.name), *numbers)  # as it is: a name in brackets would be taken for a style
    return table


def _support(diagnosis: Diagnosis) -> Lines:
    support = diagnosis.support
    if support is None:
        return []
    if support.candidates == 0:
        return [
            "Support and queries take all images of the classes, so none is left to exchange: ask for fewer queries."
        ]
    return [
        f"{count_of(support.episodes, 'episode')} with other support images for the same queries, "
        f"{support.candidates:.3g} tried for each image on average.",
        f"Worst found {_percent(support.worst)}, as drawn {_percent(support.drawn)}, "
        f"best found {_percent(support.best)}.",
        "A greedy search finds them: the true extremes may lie further out.",
    ]


def _calibration(calibration: Calibration) -> Lines:
    table = plain_table("it says", "is right", "", "queries")
    for row in calibration.table:
        if row.stated is not None and row.right is not None:
            table.add_row(_percent(row.stated), _percent(row.right), _bar(row.right), f"{row.queries:,}")
    pooled, twin = _points(calibration.pooled_ece), _points(calibration.pooled_ece_of_calibrated)
    alone, twin_alone = _points(calibration.ece), _points(calibration.ece_of_calibrated)
    return [
        table,
        f"Gap between the two over all queries (ECE): {pooled} points; {twin} if it were calibrated.",
        f"Mean gap of single episodes: {alone} points; {twin_alone} if calibrated, since episodes have few queries.",
        f"Brier score {calibration.brier:.3f} (0 is best, 2 is worst).",
    ]


def _geometry(geometry: Geometry) -> Lines:
    held = f"{count_of(geometry.images, 'image')} of {count_of(geometry.classes, 'class')}"
    size = f"{held}, {count_of(geometry.features, 'number')} each"
    lines: Lines = [f"{size}, by Euclidean distance."]
    if geometry.between is not None:
        lines.append(f"{_percent(geometry.between)} of the variance lies between classes (0%: classes do not differ).")
    if geometry.silhouette is not None:
        lines.append(
            f"Silhouette {signed(geometry.silhouette, 2)} (+1: classes far apart, 0: they touch, below: they mix)."
        )
    lines.append(f"Hubness {plain(geometry.hubness)} (0: none; above 1: some images are near neighbours of very many).")
    lines.append(
        f"One image is among the {geometry.neighbours} nearest of {count_of(geometry.largest_hub, 'other')}; "
        f"{_percent(geometry.anti_hubs)} of the images are among the nearest of none."
    )
    return lines


def _times(diagnosis: Diagnosis) -> Lines:
    times = diagnosis.times
    image = f"{_seconds(times.image_seconds)} to read and embed an image ({count_of(times.images, 'image')})"
    return [f"{image}, {_seconds(times.episode_seconds)} to learn and answer an episode (one thread)."]


def _percent(share: float) -> str:
    return f"{plain(100 * share)}%"


def _points(share: float) -> str:
    return plain(100 * share)


def _bar(share: float) -> str:
    return "█" * round(BAR * share) + "░" * (BAR - round(BAR * share))


def _seconds(seconds: float) -> str:
    if seconds >= 1:
        return f"{seconds:.1f} s"
    return f"{1e3 * seconds:.1f} ms" if seconds >= 1e-3 else f"{1e6 * seconds:.0f} µs"
