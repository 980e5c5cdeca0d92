"""An audit for people: a verdict in three sentences, what to change, and the figures behind them."""

from rich import box
from rich.table import Table as RichTable

from fairshot.audits.findings import POINT, Audit, judged_by
from fairshot.evaluation.shots import added
from fairshot.reports.forecasts import answer_alike, forecast_sentence
from fairshot.reports.sections import Section
from fairshot.results.population_headings import POPULATIONS
from fairshot.results.schema import Row
from fairshot.statistics.estimate import LEVEL
from fairshot.tables.table import Cell, Column, Quantity, Table
from fairshot.tables.words import at_level, count_of, percent_span, plain, plural, signed

BAR = 32  # characters of the widest bar: beside the longest heading it fits into 80 columns
ROUNDING = 1e-9  # an accuracy as near to 1 as this has no errors
KINDS = {
    "out": "judges on classes that training never saw (out of distribution), so it shows how methods carry over to new "
    "classes, not how well they learn tasks like those they were trained on",
    "in": "judges on new images of the classes that were trained on (in distribution), so it says nothing about other "
    "classes",
    "none": "sets no classes apart, so it cannot be used to evaluate anything that is trained on it",
}


def summary(audit: Audit) -> str:
    """The verdict."""
    return "\n".join(verdict(audit))


def verdict(audit: Audit) -> tuple[str, str, str]:
    """Three sentences: what it judges, how accurate its means are, and what its classes mean."""
    return f"{audit.data.part} {KINDS[audit.data.distribution.kind]}.", _sureness(audit), _meaning(audit)


def _sureness(audit: Audit) -> str:
    mean = audit.accuracy.mean
    interval, sampler = mean.quoted, mean.intervals.get("episodes")
    for_others = (mean.headline or "classes") in ("classes", "parents")  # images alone say nothing of other classes
    if interval is None or sampler is None or not for_others:
        unknown = "How accurate its means are for other classes cannot be estimated from these episodes"
        return f"{unknown}: ask for more episodes."
    others, reversed_on = judged_by(mean.headline), audit.duel.population
    wide, usual = (50 * (ends[1] - ends[0]) for ends in (interval, sampler))
    flips = audit.duel.flips["1"]
    reversal = (
        ""
        if flips is None
        else f", and if the true lead were one point, {100 * flips:.0f}% of other sets of {reversed_on} would show the "
        "other learner ahead"
    )
    published = f"±{_points(usual)}"
    more = wide > usual and _points(wide) != published[1:]
    printed = f"not to the {published}" if more else f"no less than to the {published}"
    sure = f"Its means are accurate to ±{_points(wide)} points for other {others}, {printed} that papers print"
    return f"{sure}{reversal}."


def _points(value: float) -> str:
    return f"{value:.1f}" if value >= 0.95 else f"{value:.2g}"


def _meaning(audit: Audit) -> str:
    parts = [_cost(audit)] if audit.gap is not None else []
    consistency = audit.accuracy.consistency
    if consistency is not None and consistency.value is not None:
        share = consistency.value
        kept = f"{100 * share:.0f}% of the accuracy is left without labels (CSCC)"
        parts.append(kept if share <= 1 else "clustering without labels is no worse than the labels (CSCC above 1)")
    text = ", and ".join(parts) or "there are neither parents nor shots enough to say what its classes mean"
    return f"{_capital(text)}."


def _cost(audit: Audit) -> str:
    """Whether classes of one parent are harder than any together, as far as the intervals of both say."""
    mean, within, gap = audit.accuracy.mean, audit.accuracy.within, audit.gap
    assert within is not None
    assert gap is not None
    first, second = (row.intervals.get("classes") or row.intervals.get("episodes") for row in (within, mean))
    ends = added(within.number, first, mean.number, second)
    points = plain(abs(100 * gap))
    if points == "0.0" or ends is None or ends[0] <= 0 <= ends[1]:
        return f"classes of one parent are not clearly harder or easier than any ({signed(-100 * gap)} points)"
    if gap < 0:
        return f"classes of one parent are {points} points easier than any"
    return f"classes of one parent cost {points} points that unstructured episodes hide"


def advice(audit: Audit) -> tuple[str, ...]:
    """What to change."""
    lines = [f"{found.check}: {found.seen}" for found in audit.findings if found.outcome in ("leak", "warning")]
    needed, counted = audit.classes.one_point, audit.classes.counted
    if needed is not None and needed > counted:
        units = plural(counted_unit(audit))
        lines.append(f"about {needed:,} {units} would make a mean accurate to ±1 point; there are {counted:,}")
    if audit.gap is not None and abs(audit.gap) > POINT:
        lines.append("report the task within_parent beside the usual episodes")
    difference = audit.duel.comparison.differences.get(audit.duel.population)
    if difference is not None and difference.detectable:
        smallest = _points(100 * difference.detectable)
        lines.append(f"call no difference below {smallest} points a result, and compare the learners in pairs")
    return tuple(lines)


def counted_unit(audit: Audit) -> str:
    """What is counted where more of them would make a mean surer."""
    if judged_by(audit.accuracy.mean.headline) == "parents":
        return "parent"
    return "class" if audit.data.originals is None else "original class"


def sections(audit: Audit) -> list[Section]:
    """The verdict, what to change, and then section by section what they are based on."""
    data, question = audit.data, audit.question
    parents = count_of(data.parents, "parent") if data.parents > 1 else "no parents"
    made = "" if data.originals is None else f" made of {data.originals:,}"
    classes = f"{count_of(data.classes, 'class')}{made}"
    held = f"{count_of(data.images, 'image')} (recipe {data.recipe}), {classes}, {parents}"
    asked = f"{question.learner} and {question.rival}, {question.task}, {count_of(question.episodes, 'episode')}"
    took = count_of(round(audit.seconds), "second")
    notes = [f"Note: {note}." for note in audit.notes]
    return [
        Section("Verdict", verdict(audit)),
        Section("What to change", [f"* {line}." for line in advice(audit)] or ["Nothing that an audit sees."]),
        Section(f"Audit of {data.part}", [f"{held}; {asked}, {took}.", *notes]),
        Section("In or out of distribution", [_distribution(audit)]),
        Section("How accurate is a mean?", [_mean(audit)]),
        Section(f"Would a comparison reverse on other {audit.duel.population}?", _comparison(audit)),
        Section(f"How many {plural(counted_unit(audit))} would it take?", _curve(audit)),
        Section("Do classes of one parent matter?", [_structure(audit)]),
        Section("What are labels worth?", [_labels(audit)]),
        Section("Copies and groups", [f"{found.outcome}: {found.check}: {found.seen}." for found in audit.findings]),
        Section("Hardest classes", [_hardest(audit)]),
    ]


def _distribution(audit: Audit) -> str:
    distribution = audit.data.distribution
    kind = {"in": "In distribution", "out": "Out of distribution", "none": "Neither"}[distribution.kind]
    met = "" if distribution.base_tuples is None else f", training can meet {distribution.base_tuples:.3g}"
    tuples = "1 tuple" if distribution.own_tuples == 1 else f"{distribution.own_tuples:.3g} tuples"
    return f"{kind}: {distribution.why}. Episodes choose among {tuples} of classes{met}."


def _mean(audit: Audit) -> str:
    mean = audit.accuracy.mean
    known = [name for name in POPULATIONS if mean.intervals.get(name) is not None]
    ends = [f"{POPULATIONS[name].heading} {percent_span(mean.intervals[name])}" for name in known]
    missing = [f" No interval for {note}." for note in mean.notes]
    intervals = f" {at_level(LEVEL)} intervals: {', '.join(ends)}." if ends else ""
    return f"{audit.question.learner}: {100 * mean.number:.1f}%.{intervals}{''.join(missing)}"


def _comparison(audit: Audit) -> list[str]:
    comparison = audit.duel.comparison
    pair = f"{audit.question.learner} minus {audit.question.rival}: {signed(100 * comparison.value, 2)} points"
    population = audit.duel.population
    difference = comparison.differences.get(population)
    if difference is None or difference.forecast is None:
        return [f"{pair}. What other {population} would show cannot be estimated from these episodes."]
    alike = answer_alike(comparison)
    told = forecast_sentence(comparison.value, difference.forecast, population, alike=alike)
    gaps = [f"{100 * flips:.0f}% for {gap}" for gap, flips in audit.duel.flips.items() if flips is not None]
    return [
        f"{pair}. {told}",
        f"If the true lead were so many points, other {population} would show the other ahead: {', '.join(gaps)}.",
    ]


def _curve(audit: Audit) -> list[str | RichTable]:
    known = [(point.units, point.mean, point.difference) for point in audit.classes.curve if point.mean is not None]
    if not known:
        return ["That cannot be estimated from these episodes."]
    table = RichTable(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in (plural(counted_unit(audit)), "mean", "difference", "half-widths in points"):
        table.add_column(heading, justify="left" if "points" in heading else "right", no_wrap=True)
    widest = max(mean for _, mean, _ in known) or 1.0
    for units, mean, difference in known:
        between = "-" if difference is None else f"{100 * difference:.2f}"
        bar = "#" * max(1, round(BAR * mean / widest))
        table.add_row(f"{units:,}", f"{100 * mean:.2f}", between, bar)
    return [table, _one_point(audit)]


def _one_point(audit: Audit) -> str:
    needed, counted, unit = audit.classes.one_point, audit.classes.counted, counted_unit(audit)
    if needed is None:
        return f"No number of {plural(unit)} makes a mean accurate to ±1 point with so few episodes."
    if needed == 0:
        units = plural(unit)
        return f"{_capital(units)} do not differ beyond noise here, so how many one point takes cannot be estimated."
    return f"One point takes about {count_of(needed, unit)}; there are {counted:,}."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _structure(audit: Audit) -> str:
    mean, within, gap = audit.accuracy.mean, audit.accuracy.within, audit.gap
    if within is None or gap is None:
        return "There are no two parents with enough classes to ask within one."
    ends = percent_span(within.quoted)
    numbers = f"{100 * mean.number:.1f}% for any classes, {100 * within.number:.1f}% within one parent ({ends})"
    wrong, other = (1 - row.number for row in (mean, within))
    some, more = wrong > ROUNDING, other > ROUNDING
    times = f", errors {other / wrong:.1f} times as many" if some else ", from no errors" if more else ""
    return f"{numbers}: {signed(-100 * gap)} points{times}."


def _labels(audit: Audit) -> str:
    row = audit.accuracy.consistency
    if row is None or row.value is None:
        return "With one image per class, or without vectors to cluster, nothing can be said."
    ends = percent_span(row.intervals.get("classes") or row.intervals.get("episodes"))
    share = f"{100 * row.value:.1f}% ({ends}) of the accuracy with labels (CSCC)"
    return f"Without labels, {row.learner} {'keeps' if row.value <= 1 else 'reaches'} {share}."


def _hardest(audit: Audit) -> str:
    rates = [
        f"{rate.name} {100 * (rate.value if rate.shrunken is None else rate.shrunken):.0f}%"
        for rate in audit.classes.hardest
    ]
    return ", ".join(rates) + "." if rates else "Nothing is known of them."


def tables(audit: Audit) -> list[Table]:
    """Accuracies first, then the comparison, what classes would do, the checks and the hardest classes."""
    made = [_accuracies(audit), _lead(audit), _precision(audit), _checks(audit), _rates(audit)]
    return [table for table in made if table.rows]


def _accuracies(audit: Audit) -> Table:
    accuracy = audit.accuracy
    measured = {
        "any classes": accuracy.mean,
        "within one parent": accuracy.within,
        "left without labels (CSCC)": accuracy.consistency,
    }
    rows: list[list[Cell]] = [[row.learner, name, _quantity(row)] for name, row in measured.items() if row is not None]
    columns = [Column(name="learner", code=True), Column(name="episodes of"), Column(name="accuracy")]
    return Table(title=f"{audit.data.part}: {audit.question.task}", columns=columns, rows=rows)


def _quantity(row: Row) -> Quantity:
    population = row.headline or "classes"
    low, high = row.quoted or (None, None)
    return Quantity(value=row.value, unit="share", low=low, high=high, population=population, quoted=True)


def _lead(audit: Audit) -> Table:
    comparison = audit.duel.comparison
    difference = comparison.differences.get(comparison.headline or "classes")
    low, high = (None, None) if difference is None else difference.estimate.interval or (None, None)
    lead = Quantity(value=comparison.value, unit="points", low=low, high=high, population=comparison.headline, digits=2)
    flips: list[Cell] = [Quantity(value=share, unit="share", digits=0) for share in audit.duel.flips.values()]
    headings = ("learner", "rival", "difference", *(f"reversed at {gap}" for gap in audit.duel.flips))
    columns = [Column(name=name, code=name in ("learner", "rival")) for name in headings]
    others = audit.duel.population
    note = f"Reversed at 1: how often other {others} would show the rival ahead if the true lead were one point."
    rows: list[list[Cell]] = [[comparison.first, comparison.second, lead, *flips]]
    return Table(title="Comparison", columns=columns, rows=rows, notes=[note])


def _precision(audit: Audit) -> Table:
    units = plural(counted_unit(audit))
    columns = [Column(name=name) for name in (units, "mean", "difference")]
    rows: list[list[Cell]] = [
        [
            point.units,
            Quantity(value=point.mean, unit="points", digits=2, signed=False),
            Quantity(value=point.difference, unit="points", digits=2, signed=False),
        ]
        for point in audit.classes.curve
        if point.mean is not None
    ]
    return Table(title=f"Half-widths for other {units}, if there were so many", columns=columns, rows=rows)


def _checks(audit: Audit) -> Table:
    columns = [Column(name="check", code=True), Column(name="outcome"), Column(name="seen")]
    rows: list[list[Cell]] = [[found.check, found.outcome, found.seen] for found in audit.findings]
    return Table(title="Copies and groups", columns=columns, rows=rows)


def _rates(audit: Audit) -> Table:
    columns = [Column(name="class"), Column(name="right"), Column(name="expected")]
    rows: list[list[Cell]] = [
        [
            rate.name,
            Quantity(value=rate.value, unit="share", low=rate.low, high=rate.high, population="episodes"),
            Quantity(value=rate.shrunken, unit="share"),
        ]
        for rate in audit.classes.hardest
    ]
    return Table(title="Hardest classes", columns=columns, rows=rows)
