"""An audit for people: what was found, a verdict in three sentences, and what to change."""

import json
from collections.abc import Sequence
from dataclasses import asdict

from rich import box
from rich.console import Console
from rich.table import Table

import fairshot
from fairshot.audits.findings import POINT, Audit
from fairshot.evaluation.shots import added
from fairshot.reports.forecasts import forecast_sentence
from fairshot.reports.terminal import HEADINGS, percent
from fairshot.runtime.words import count_of, plain, signed

BAR = 40  # characters of the widest bar
ROUNDING = 1e-9  # an accuracy as near to 1 as this has no errors


def verdict(found: Audit) -> tuple[str, ...]:
    """Three sentences."""
    kinds = {
        "out": "judges on classes that training never saw (out of distribution), so it tells how methods carry over to "
        "new classes, not how well they learn tasks like those they were trained on",
        "in": "judges on new images of the classes that were trained on (in distribution), so it says nothing about "
        "other classes",
        "none": "sets no classes apart, so it cannot judge anything that is trained on it",
    }
    return (f"{found.part} {kinds[found.distribution.kind]}.", _sureness(found), _meaning(found))


def _sureness(found: Audit) -> str:
    interval, sampler = found.mean.quoted, found.mean.intervals.get("episodes")
    others = "parents" if found.mean.headline == "parents" else "classes"
    if interval is None or sampler is None:
        return (
            "How sure its means are for other classes cannot be told from these episodes: ask for more with --episodes."
        )
    wide, usual = (50 * (ends[1] - ends[0]) for ends in (interval, sampler))
    flips = found.flips["1"]
    turned = (
        ""
        if flips is None
        else f", and if the true lead were one point, {100 * flips:.0f}% of other sets of {others} would show the "
        "other learner ahead"
    )
    told = f"±{_points(usual)}"
    printed = f"not to the {told}" if wide > usual and _points(wide) != told[1:] else f"no less than to the {told}"
    sure = f"Its means are accurate to ±{_points(wide)} points for other {others}, {printed} that papers print"
    return f"{sure}{turned}."


def _points(value: float) -> str:
    return f"{value:.1f}" if value >= 0.95 else f"{value:.2g}"


def _meaning(found: Audit) -> str:
    parts = [_cost(found)] if found.gap is not None else []
    if found.consistency is not None and found.consistency.value is not None:
        share = found.consistency.value
        kept = f"{100 * share:.0f}% of the accuracy is left without labels (CSCC)"
        parts.append(kept if share <= 1 else "clustering without labels is no worse than the labels (CSCC above 1)")
    text = ", and ".join(parts) or "there are neither parents nor shots enough to say what its classes mean"
    return f"{text[0].upper()}{text[1:]}."


def _cost(found: Audit) -> str:
    """Whether classes of one parent are harder than any together, as far as the intervals of both tell."""
    assert found.within is not None
    assert found.gap is not None
    first, second = (
        row.intervals.get("classes") or row.intervals.get("episodes") for row in (found.within, found.mean)
    )
    ends = added(found.within.number, first, found.mean.number, second)
    points = plain(abs(100 * found.gap))
    if points == "0.0" or ends is None or ends[0] <= 0 <= ends[1]:
        return f"classes of one parent are not clearly harder or easier than any ({signed(-100 * found.gap)} points)"
    if found.gap < 0:
        return f"classes of one parent are {points} points easier than any"
    return f"classes of one parent cost {points} points that unstructured episodes hide"


def advice(found: Audit) -> tuple[str, ...]:
    """What to change."""
    told = [f"{each.check}: {each.seen}" for each in found.findings if each.outcome in ("leak", "warning")]
    if found.one_point is not None and found.one_point > found.classes:
        told.append(f"about {found.one_point:,} classes would make a mean sure to one point; there are {found.classes}")
    if found.gap is not None and abs(found.gap) > POINT:
        told.append("report --task within_parent beside the usual episodes")
    difference = found.comparison.differences.get("classes")
    if difference is not None and difference.detectable:
        told.append(
            f"call no difference below {_points(100 * difference.detectable)} points a result, "
            "and let 'fairshot compare' pair the learners"
        )
    return tuple(told)


def render_audit(found: Audit, console: Console | None = None) -> None:
    """Section by section, the verdict last."""
    console = console or Console(emoji=False)
    for title, lines in _sections(found):
        console.print(title, style="bold", markup=False, highlight=False)
        for line in lines:
            if isinstance(line, str):
                console.print(line, markup=False, highlight=False, soft_wrap=True)
            else:
                console.print(line)
        console.print()


def _sections(found: Audit) -> list[tuple[str, Sequence[str | Table]]]:
    parents = count_of(found.parents, "parent") if found.parents > 1 else "no parents"
    held = f"{count_of(found.images, 'image')} (recipe {found.recipe}), {count_of(found.classes, 'class')}, {parents}"
    asked = f"{found.learner} and {found.rival}, {found.task}, {count_of(found.episodes, 'episode')}"
    return [
        (
            f"Audit of {found.part}",
            [f"{held}; {asked}, {found.seconds:.0f} seconds.", *(f"Note: {note}." for note in found.notes)],
        ),
        ("In or out of distribution", [_distribution(found)]),
        ("How sure is a mean?", [_mean(found)]),
        ("Would a comparison turn round on other classes?", _comparison(found)),
        ("How many classes would it take?", _curve(found)),
        ("Do classes of one parent matter?", [_structure(found)]),
        ("What are labels worth?", [_labels(found)]),
        ("Copies and groups", [f"{each.outcome}: {each.check}: {each.seen}." for each in found.findings]),
        ("Hardest classes", [_worst(found)]),
        ("Verdict", verdict(found)),
        ("What to change", [f"* {line}." for line in advice(found)] or ["Nothing that an audit sees."]),
    ]


def _distribution(found: Audit) -> str:
    own = found.distribution
    kind = {"in": "In distribution", "out": "Out of distribution", "none": "Neither"}[own.kind]
    met = "" if own.base_tuples is None else f", training can meet {own.base_tuples:.3g}"
    tuples = "1 tuple" if own.own_tuples == 1 else f"{own.own_tuples:.3g} tuples"
    return f"{kind}: {own.why}. Episodes choose among {tuples} of classes{met}."


def _mean(found: Audit) -> str:
    ends = [
        f"{HEADINGS[name][0]} {percent(found.mean.intervals[name])}"
        for name in HEADINGS
        if found.mean.intervals.get(name) is not None
    ]
    missing = [f" No interval for {note}." for note in found.mean.notes]
    told = f" 95% intervals: {', '.join(ends)}." if ends else ""
    return f"{found.learner}: {100 * found.mean.number:.1f}%.{told}{''.join(missing)}"


def _comparison(found: Audit) -> list[str]:
    pair = f"{found.learner} minus {found.rival}: {100 * found.comparison.value:+.2f} points"
    population = "parents" if found.comparison.headline == "parents" else "classes"
    own = found.comparison.differences.get(population)
    if own is None or own.forecast is None:
        return [f"{pair}. What other classes would say cannot be told from these episodes."]
    gaps = [f"{100 * flips:.0f}% for {gap}" for gap, flips in found.flips.items() if flips is not None]
    return [
        f"{pair}. {forecast_sentence(found.comparison.value, own.forecast, population)}",
        f"If the true lead were so many points, other {population} would show the other ahead: {', '.join(gaps)}.",
    ]


def _curve(found: Audit) -> list[str | Table]:
    known = [each for each in found.curve if each.mean is not None]
    if not known:
        return ["That cannot be told from these episodes."]
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("classes", "mean", "difference", "half-widths in points"):
        table.add_column(heading, justify="left" if "points" in heading else "right", no_wrap=True)
    widest = max(each.mean for each in known if each.mean is not None) or 1.0
    for each in known:
        assert each.mean is not None
        difference = "-" if each.difference is None else f"{100 * each.difference:.2f}"
        bar = "#" * max(1, round(BAR * each.mean / widest))
        table.add_row(f"{each.classes:,}", f"{100 * each.mean:.2f}", difference, bar)
    if found.one_point is None:
        return [table]
    if found.one_point == 0:
        return [table, "Classes do not differ beyond noise here, so what one point takes cannot be told."]
    return [table, f"One point takes about {count_of(found.one_point, 'class')}; there are {found.classes:,}."]


def _structure(found: Audit) -> str:
    if found.within is None or found.gap is None:
        return "There are no two parents with enough classes to ask within one."
    ends = percent(found.within.quoted)
    numbers = (
        f"{100 * found.mean.number:.1f}% for any classes, {100 * found.within.number:.1f}% within one parent ({ends})"
    )
    wrong, other = (1 - row.number for row in (found.mean, found.within))
    some, more = wrong > ROUNDING, other > ROUNDING
    times = f", errors {other / wrong:.1f} times as many" if some else ", from no errors" if more else ""
    return f"{numbers}: {signed(-100 * found.gap)} points{times}."


def _labels(found: Audit) -> str:
    row = found.consistency
    if row is None or row.value is None:
        return "With one image a class, or without vectors to cluster, nothing can be said."
    ends = percent(row.intervals.get("classes") or row.intervals.get("episodes"))
    share = f"{100 * row.value:.1f}% ({ends}) of the accuracy with labels (CSCC)"
    return f"Without labels, {row.learner} {'keeps' if row.value <= 1 else 'reaches'} {share}."


def _worst(found: Audit) -> str:
    rates = []
    for each in found.worst:
        shown = each.value if each.shrunken is None else each.shrunken
        rates.append(f"{each.name} {100 * shown:.0f}%")
    return ", ".join(rates) + "." if rates else "Nothing is known of them."


def audit_json(found: Audit, command: list[str]) -> str:
    """The same for machines."""
    told = asdict(found) | {
        "mean": found.mean.model_dump(),
        "within": found.within and found.within.model_dump(),
        "consistency": found.consistency and found.consistency.model_dump(),
        "gap": found.gap,
        "verdict": verdict(found),
        "advice": advice(found),
    }
    return json.dumps({"schema": 1, "fairshot": fairshot.__version__, "command": command} | told, indent=1)
