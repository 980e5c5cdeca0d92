"""Predictions in the terminal: every image where there are few, a summary where there are many; and files of them."""

import csv
import json
from collections.abc import Sequence
from dataclasses import asdict, fields
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

import fairshot
from fairshot.prediction.predictions import Prediction, Predictions
from fairshot.prediction.unknown_classes import Strangers
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.files import complete_file
from fairshot.runtime.words import count_of

FEW = 30  # images that are all shown
DOUBTFUL = 5  # shown of many, those with the least confidence
NAMED = 5  # files named in a sentence


def render_predictions(found: Predictions, learner: str, console: Console | None = None) -> None:
    """A table, then what to expect of it, then what to know."""
    console = console or Console(emoji=False)
    most = count_of(max(found.shots), "support image")
    spread = f"{min(found.shots)} to {most}" if len(set(found.shots)) > 1 else most
    support = f"{len(found.classes)} classes of {spread} in {found.support}"
    recipe = "" if found.recipe is None else f", recipe {found.recipe}"
    title = f"{count_of(len(found), 'image')} labelled by {learner} from {support}{recipe}"
    console.print(title, style="bold", markup=False, highlight=False, soft_wrap=True)
    console.print()
    if len(found) <= FEW:
        console.print(_table(found.rows))
    else:
        console.print(_summary(found))
        console.print("\nThe least certain:", markup=False, highlight=False)
        console.print(_table(sorted(found.rows, key=lambda row: row.confidence)[:DOUBTFUL]))
        console.print("All of them: --out FILE.csv, or --json.", markup=False, highlight=False)
    console.print()
    for line in _lines(found):
        console.print(line, markup=False, highlight=False, soft_wrap=True)


def _table(rows: Sequence[Prediction]) -> Table:
    table = Table(box=None, padding=(0, 2), collapse_padding=True, pad_edge=False)
    for heading in ("file", "label", "confidence", "second", ""):
        right = heading in ("confidence", "")
        table.add_column(heading, justify="right" if right else "left", overflow="fold", no_wrap=right)
    for row in rows:
        label = f"unknown ({row.label}?)" if row.unknown else row.label
        numbers = _percent(row.confidence), _percent(row.second_confidence)
        table.add_row(_text(row.file), _text(label), numbers[0], _text(row.second), numbers[1])
    return table


def _summary(found: Predictions) -> Table:
    table = Table(box=None, padding=(0, 2), collapse_padding=True, pad_edge=False)
    table.add_column("label", overflow="fold")
    for heading in ("images", "mean confidence"):
        table.add_column(heading, justify="right", no_wrap=True)
    known = [row for row in found if not row.unknown]
    groups = [(name, [row for row in known if row.label == name]) for name in found.classes]
    groups.sort(key=lambda group: -len(group[1]))
    groups.append(("unknown", [row for row in found if row.unknown]))
    for name, rows in groups[:FEW] + groups[FEW:][-1:]:
        if rows:
            mean = sum(row.confidence for row in rows) / len(rows)
            table.add_row(_text(name), f"{len(rows):,}", _percent(mean))
    return table


def _lines(found: Predictions) -> list[str]:
    lines = [_expected(found), *([_strangers(found.strangers)] if found.strangers else [])]
    if found.least is not None:
        lines.append(f"What has less confidence than {_percent(found.least)} counts as unknown.")
    lines += [f"Note: {note}." for note in found.notes]
    copies = [f"{row.file} is {row.copy_of}" for row in found if row.copy_of is not None]
    if copies:
        lines.append(f"Byte for byte in the support: {_some(copies)}.")
    if found.skipped:
        lines.append(f"Warning: skipped {count_of(len(found.skipped), 'unreadable file')}: {_some(found.skipped)}.")
    return [_printable(line) for line in lines]


def _expected(found: Predictions) -> str:
    expected = found.expected
    if expected is None:
        return "What to expect: nothing can tell, since no class has two support images."
    interval = f"{100 * expected.low:.0f}–{100 * expected.high:.0f}%"
    right = f"{expected.right:,} of {count_of(expected.images, 'support image')}"
    better = "; with all of them it should be a little better" if expected.value < 1 else ""
    return (
        f"What to expect: {_percent(expected.value)} right (95% interval {interval}). That is how {right} fared when "
        f"they were held out, one a class at a time{better}."
    )


def _strangers(strangers: Strangers) -> str:
    told = f"Unknown: at most {100 * strangers.share:g}% of the images of these classes should be called so by mistake"
    if strangers.found is None or strangers.auroc is None:
        return f"{told}; how many strangers are found could not be tried."
    by = "the learner's own score" if strangers.sureness == "logit" else "confidence"
    return (
        f"{told}. With classes left out of the support, {100 * strangers.found:.0f}% of their images were found out "
        f"(by {by}, AUROC {strangers.auroc:.2f})."
    )


def write_predictions(found: Predictions, path: Path) -> None:
    """All rows as CSV; the file is complete or not there."""
    with (
        complete_file(path) as unfinished,
        open(unfinished, "w", newline="", encoding="utf-8", errors="surrogateescape") as file,
    ):
        writer = csv.writer(file)
        names = [field.name for field in fields(Prediction)]
        writer.writerow(names)
        writer.writerows([_cell(getattr(row, name)) for name in names] for row in found)


def refuse_path(path: Path | None) -> None:
    """Raises before any work is done for a file of another kind."""
    if path is not None and path.suffix.lower() != ".csv":
        raise FairshotError(f"--out writes CSV, and {path} does not end in .csv: name it {path.with_suffix('.csv')}")


def predictions_json(found: Predictions, learner: str, command: list[str]) -> str:
    """The same for machines."""
    head = {"schema": 1, "fairshot": fairshot.__version__, "command": command, "learner": learner}
    return json.dumps({**head, **asdict(found)}, indent=1, allow_nan=False)


def _cell(value: object) -> object:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.6f}" if isinstance(value, float) else value


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more


def _percent(share: float) -> str:
    return f"{100 * share:.1f}%"


def _printable(text: str) -> str:
    """File names may hold bytes that are no text."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _text(text: str) -> Text:
    """As it is: a name in brackets would be taken for a style."""
    return Text(_printable(text))
