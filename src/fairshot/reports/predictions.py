"""Predictions in the terminal: every image where there are few, a summary where there are many."""

from collections.abc import Sequence
from pathlib import Path

from rich.table import Table as RichTable

from fairshot.prediction.predictions import Prediction, Predictions
from fairshot.prediction.unknown_classes import Strangers
from fairshot.reports.sections import Section, as_written, plain_table
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.visible_text import visible
from fairshot.tables.table import Cell, Column, Quantity, Table
from fairshot.tables.words import at_level, count_of

FEW = 30  # images that are all shown
DOUBTFUL = 5  # shown of many, those with the least confidence
NAMED = 5  # files named in a sentence


def summary(found: Predictions) -> str:
    """What was labelled from what, and how often to expect it to be right."""
    most = count_of(max(found.shots), "support image")
    spread = f"{min(found.shots)} to {most}" if len(set(found.shots)) > 1 else most
    support = f"{count_of(len(found.classes), 'class')} of {spread} in {found.support}"
    recipe = "" if found.recipe is None else f", recipe {found.recipe}"
    labelled = f"{count_of(len(found), 'image')} labelled by {found.learner} from {support}{recipe}"
    return f"{labelled}\n{_expected(found)}{_scored(found)}"


def tables(found: Predictions) -> list[Table]:
    """A line for each image."""
    names = ("file", "label", "confidence", "second", "second confidence", "unknown", "copy of", "truth")
    rows: list[list[Cell]] = [
        [
            visible(row.file),
            row.label,
            Quantity(value=row.confidence, unit="share"),
            row.second,
            Quantity(value=row.second_confidence, unit="share"),
            row.unknown,
            row.copy_of and visible(row.copy_of),
            row.truth,
        ]
        for row in found
    ]
    return [Table(columns=[Column(name=name) for name in names], rows=rows)]


def sections(found: Predictions) -> list[Section]:
    """What to expect, the images or a summary of them, and what to know."""
    answer = Section("", summary(found).splitlines())
    lines = _lines(found)
    know = [Section("", lines)] if lines else []
    if len(found) <= FEW:
        return [answer, Section("", [_table(found.rows)]), *know]
    doubtful = sorted(found.rows, key=lambda row: row.confidence)[:DOUBTFUL]
    every = "All of them: --out FILE.csv, or --json."
    return [answer, Section("", [_counts(found)]), Section("The least certain", [_table(doubtful), every]), *know]


def _table(rows: Sequence[Prediction]) -> RichTable:
    table = RichTable(box=None, padding=(0, 2), collapse_padding=True, pad_edge=False)
    for heading in ("file", "label", "confidence", "second", ""):
        right = heading in ("confidence", "")
        table.add_column(heading, justify="right" if right else "left", overflow="fold", no_wrap=right)
    for row in rows:
        label = f"unknown ({row.label}?)" if row.unknown else row.label
        numbers = _percent(row.confidence), _percent(row.second_confidence)
        table.add_row(as_written(row.file), as_written(label), numbers[0], as_written(row.second), numbers[1])
    return table


def _counts(found: Predictions) -> RichTable:
    """How many images got each label, the commonest first."""
    known = [row for row in found if not row.unknown]
    groups = [(name, [row for row in known if row.label == name]) for name in found.classes]
    groups.sort(key=lambda group: -len(group[1]))
    groups.append(("unknown", [row for row in found if row.unknown]))
    table = plain_table("images", "mean confidence", first="label")
    for name, rows in groups[:FEW] + groups[FEW:][-1:]:
        if rows:
            mean = sum(row.confidence for row in rows) / len(rows)
            table.add_row(as_written(name), f"{len(rows):,}", _percent(mean))
    return table


def _lines(found: Predictions) -> list[str]:
    lines = [_strangers(found.strangers)] if found.strangers else []
    if found.least is not None:
        lines.append(f"What has less confidence than {_percent(found.least)} counts as unknown.")
    lines += [f"Note: {note}." for note in found.notes]
    copies = [f"{row.file} is {row.copy_of}" for row in found if row.copy_of is not None]
    if copies:
        lines.append(f"Exact copies of support images: {_some(copies)}.")
    if found.skipped:
        lines.append(f"Warning: skipped {count_of(len(found.skipped), 'unreadable file')}: {_some(found.skipped)}.")
    return lines


def _expected(found: Predictions) -> str:
    expected = found.expected
    if expected is None:
        return "What to expect is unknown, since no class has two support images."
    interval = f"{at_level(expected.level)} interval {100 * expected.low:.0f}–{100 * expected.high:.0f}%"
    right = f"{expected.right:,} of {count_of(expected.images, 'support image')}"
    better = "; with all of them it should be a little better" if expected.value < 1 else ""
    return (
        f"What to expect: {_percent(expected.value)} right ({interval}), as {right} were when they were "
        f"held out, one per class at a time{better}."
    )


def _scored(found: Predictions) -> str:
    """How many labels are those that the folders of the images name, where they do."""
    scored = found.scored
    if scored is None:
        return ""
    interval = f"{at_level(scored.level)} interval {100 * scored.low:.0f}–{100 * scored.high:.0f}%"
    right = f"{scored.right:,} of {count_of(scored.images, 'image')}"
    return f"\nRight by the names of their folders: {_percent(scored.value)} ({interval}), {right}."


def _strangers(strangers: Strangers) -> str:
    mistakes = f"at most {100 * strangers.share:g}% of the images of these classes should be called so by mistake"
    if strangers.found is None or strangers.auroc is None:
        return f"Unknown: {mistakes}; how many images of other classes are found could not be tried."
    by = "the learner's own score" if strangers.sureness == "logit" else "confidence"
    return (
        f"Unknown: {mistakes}. With classes left out of the support, {100 * strangers.found:.0f}% of their images were "
        f"found (by {by}, AUROC {strangers.auroc:.2f})."
    )


def refuse_path(path: Path | None) -> None:
    """Raises before any work is done for a file of another kind."""
    if path is not None and path.suffix.lower() != ".csv":
        raise FairshotError(f"--out writes CSV, and {path} does not end in .csv: name it {path.with_suffix('.csv')}")


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more


def _percent(share: float) -> str:
    return f"{100 * share:.1f}%"
