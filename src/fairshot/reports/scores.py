"""Scores of samples in the terminal: what was compared, beside people, and how sure it is for other classes."""

from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from fairshot.results.schema import Row
from fairshot.runtime.words import plain, signed
from fairshot.scoring.measures.human_distance import HUMAN
from fairshot.scoring.sample_scores import METRICS, SHARES, SURE, CriticAgreement, Scored, SetDifference, for_others

FIRST = ("diversity", "recognizability", "copies", "distance")
WITH_INTERVALS = ("diversity", "recognizability", "distance")
ABREAST = 5  # sets whose further measures stand beside each other, and beside people


def render_scores(found: Scored, console: Console | None = None) -> None:
    """A verdict, the two axes and the distance, then everything else, then what must be known."""
    console = console or Console(emoji=False)

    def say(text: str) -> None:
        console.print(text, markup=False, highlight=False, soft_wrap=True)

    if found.verdict:
        say(f"{found.verdict}\n")
    counts = ", ".join(f"{name} {count}" for name, count in found.samples_a_class.items())
    say(f"{found.classes} classes of {found.source.name}, recipe {found.source.recipe}, by the critics {found.critic}")
    say(f"Images a class: {counts}.")
    console.print(_axes(found))
    others = [name for name in found.sets if name != HUMAN]
    if found.differences:
        console.print(_apart(found.differences))
        say(
            "One minus the other, class by class and in the same trials, ± half of the 95% interval; "
            "a distance is below 0 where the one is nearer to people. *: p < 0.05 after Holm over the pairs."
        )
    for start in range(0, max(len(others), 1), ABREAST):
        console.print(_others(found, [*others[start : start + ABREAST], HUMAN]))
    shown = [name for name in METRICS if any(row.metric == name for row in found.rows)]
    say("\n".join(f"{name}: {METRICS[name]}." for name in shown))
    asked = f"{found.way}-way by {found.recogniser}, each class asked for {found.times} times"
    fresh = "other classes of this kind"
    if any("parents" in row.intervals for row in found.rows):
        fresh += ", of other parents where they count one by one, as classes of one parent may be alike"
    say(f"Intervals: 95% for {fresh}; {asked}; balls out to neighbour {found.neighbours}.")
    for name, bands in found.originality.items():
        told = [f"{_share(b.recognizability)} (people {_share(b.human)})" for b in bands]
        say(f"{name}, recognised from the least to the most original fifth of people's range: {', '.join(told)}.")
    for pair in found.agreement:
        say(
            f"People's classes by {pair.first} and by {pair.second}: Spearman {_ranked(pair)} (p {pair.p:.1g}), "
            f"R2 {pair.r_squared:.2f}."
        )
    for critic in dict.fromkeys(pair.first for pair in found.complexity):
        told = [f"{pair.second} {_ranked(pair)}" for pair in found.complexity if pair.first == critic]
        say(f"People's classes by {critic} and by how much there is to draw, Spearman: {', '.join(told)}.")
    missing = [row for row in found.rows if row.metric in WITH_INTERVALS and row.notes]
    lines = [f"No interval for {row.metric} of {row.learner}: {', '.join(row.notes)}." for row in missing]
    say("\n".join([*lines, *(f"Note: {note}." for note in found.notes)]))


def _axes(found: Scored) -> Table:
    """A line for each set of samples."""
    present = [name for name in FIRST if any(row.metric == name for row in found.rows)]
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("samples", overflow="fold", min_width=8)
    for name in present:
        table.add_column(name, justify="right")
    for name in found.sets:
        cells = [cell(found.row(name, metric)) for metric in present]
        table.add_row(escape(name), *cells, style="bold" if name == HUMAN else None)
    return table


def _apart(differences: Sequence[SetDifference]) -> Table:
    """A line for each two sets."""
    columns, rows = two_by_two(differences)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for number, title in enumerate(columns):
        table.add_column(title, justify="right" if number > 1 else "left", overflow="fold", min_width=8)
    for row in rows:
        table.add_row(*map(escape, row))
    return table


def two_by_two(differences: Sequence[SetDifference]) -> tuple[list[str], list[list[str]]]:
    """Columns and rows of a table: every two sets, and how they differ by every measure."""
    told = {(each.first, each.second, each.metric): each for each in differences}
    metrics = list(dict.fromkeys(metric for _, _, metric in told))
    pairs = dict.fromkeys((each.first, each.second) for each in differences)
    rows = [[*pair, *(_difference(told.get((*pair, metric))) for metric in metrics)] for pair in pairs]
    return ["one", "other", *metrics], rows


def _difference(own: SetDifference | None) -> str:
    """A signed number with half of its interval; a star where it holds."""
    if own is None:
        return ""
    scale, digits = (100, 1) if own.metric in SHARES else (1, 2)
    text = f"{signed(scale * own.value, digits)}{'%' if own.metric in SHARES else ''}"
    if own.interval is None:
        return f"{text} "
    half = scale * (own.interval[1] - own.interval[0]) / 2
    return f"{text} ± {half:.{digits}f}{'*' if own.holm is not None and own.holm < SURE else ' '}"


def _others(found: Scored, sets: Sequence[str]) -> Table:
    """A line for each further measure of some sets."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("measure", no_wrap=True)
    for name in sets:
        table.add_column(escape(name), justify="right", overflow="fold", style="bold" if name == HUMAN else None)
    for metric in METRICS:
        rows = [found.row(name, metric) for name in sets]
        if metric not in FIRST and any(rows):
            table.add_row(metric, *map(cell, rows))
    return table


def cell(row: Row | None) -> str:
    """A number, with its interval for other classes where that is told."""
    if row is None or row.value is None:
        return "-"
    scale, digits = (100, 1) if row.metric in SHARES else (1, 2 if row.value < 100 else 0)
    interval = for_others(row)
    text = f"{plain(scale * row.value, digits)}{'%' if row.metric in SHARES else ''}"
    if interval is None or row.metric not in WITH_INTERVALS:
        return text
    return f"{text} {'–'.join(plain(scale * end, digits) for end in interval)}"


def _ranked(pair: CriticAgreement) -> str:
    """A rank correlation, with its interval if there is one."""
    interval = "" if pair.interval is None else f" {' to '.join(plain(end, 2) for end in pair.interval)}"
    return f"{plain(pair.spearman, 2)}{interval}"


def _share(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.0f}%"
