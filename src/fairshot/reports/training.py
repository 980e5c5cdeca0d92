"""What a training gave, and what to do with it."""

import csv
import json
from dataclasses import asdict
from pathlib import Path

from rich.console import Console

import fairshot
from fairshot.learners.record import Record


def render_training(record: Record, folder: Path) -> None:
    """A few lines."""
    with (folder / "log.csv").open(newline="") as file:
        log = list(csv.DictReader(file))
    chosen = next(row for row in log if int(row["epoch"]) == record.epoch)
    val = f", val {100 * float(chosen['val_accuracy']):.1f}%" if chosen["val_accuracy"] else ""
    console = Console(highlight=False, markup=False)
    console.print(record.about, style="bold", soft_wrap=True)
    console.print(
        f"Epoch {record.epoch} of {len(log)}: loss {float(chosen['loss']):.3f}, accuracy "
        f"{100 * float(chosen['accuracy']):.1f}%{val}; {float(log[-1]['seconds']) / 60:.1f} minutes in all.",
        soft_wrap=True,
    )
    novel = record.source.partition(" and ")[0].rpartition("/")[0] + "/novel"
    console.print(f"Kept in {folder}: weights.safetensors, every snapshot, log.csv.", soft_wrap=True)
    console.print(f"Judge it: fairshot evaluate {novel} --learner {folder}", soft_wrap=True)


def record_json(record: Record, folder: Path, command: list[str]) -> str:
    """For machines."""
    with (folder / "log.csv").open(newline="") as file:
        log = list(csv.DictReader(file))
    told = {"schema": 1, "fairshot": fairshot.__version__, "command": command, "folder": str(folder)}
    return json.dumps({**told, "record": asdict(record), "log": log}, indent=1)
