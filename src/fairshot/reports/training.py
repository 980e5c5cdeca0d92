"""What a training gave, and what to do with it."""

import csv
import json
from pathlib import Path

from rich.console import Console

import fairshot
from fairshot.learners.training.record import Record

Number = int | float | None


def render_training(record: Record, folder: Path, command: str) -> None:
    """A few lines, the last of which is the command that judges the learner, if there is anything to judge it on."""
    log = _log(folder)
    chosen = next(row for row in log if row["epoch"] == record.epoch)
    shown = {"accuracy": chosen["accuracy"], "val": chosen["val_accuracy"]}
    shares = "".join(f", {name} {100 * share:.1f}%" for name, share in shown.items() if share is not None)
    console = Console(highlight=False, markup=False, emoji=False)
    console.print(record.about, style="bold", soft_wrap=True)
    console.print(
        f"Epoch {record.epoch} of {len(log)}: loss {chosen['loss']:.3f}{shares}; "
        f"{(log[-1]['seconds'] or 0) / 60:.1f} minutes in all.",
        soft_wrap=True,
    )
    console.print(f"Kept in {folder}: weights.safetensors, every snapshot, log.csv.", soft_wrap=True)
    if command:
        console.print(f"Judge it: {command}", soft_wrap=True)


def record_json(record: Record, folder: Path, command: list[str]) -> str:
    """The record and the log of a training as JSON."""
    about = {"schema": 1, "fairshot": fairshot.__version__, "command": command, "folder": str(folder)}
    return json.dumps({**about, "record": record.as_dict(), "log": _log(folder)}, indent=1)


def _log(folder: Path) -> list[dict[str, Number]]:
    """What stands in log.csv, as numbers; None where nothing does."""
    with (folder / "log.csv").open(newline="") as file:
        return [{name: json.loads(text or "null") for name, text in row.items()} for row in csv.DictReader(file)]
