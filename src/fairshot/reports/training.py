"""What a training gave, and what to do with it."""

import csv
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import fairshot
from fairshot.learners.training.record import Record
from fairshot.tables.table import Cell, Column, Quantity, Table
from fairshot.tables.tabular import Tabular

Number = int | float | None
SHARES = ("accuracy", "val_accuracy")
WHOLE = ("epoch", "step", "rate")


@dataclass(frozen=True, repr=False)
class TrainingReport(Tabular):
    """A finished training: printed in a few lines, and as a table with a row for each epoch."""

    record: Record
    folder: Path
    command: str = ""
    """What evaluates the learner, if there is anything to evaluate it on."""

    def in_brief(self) -> str:
        """What was trained."""
        return self.record.about

    @property
    def log(self) -> list[dict[str, Number]]:
        """What stands in log.csv, as numbers; None where nothing does."""
        with (self.folder / "log.csv").open(newline="") as file:
            return [{name: json.loads(text or "null") for name, text in row.items()} for row in csv.DictReader(file)]

    def summary(self) -> str:
        """What was trained on what, and how the chosen snapshot did."""
        log = self.log
        chosen = next(row for row in log if row["epoch"] == self.record.epoch)
        shown = {"accuracy": chosen.get("accuracy"), "val": chosen.get("val_accuracy")}
        shares = "".join(f", {name} {100 * share:.1f}%" for name, share in shown.items() if share is not None)
        if chosen.get("val_loss") is not None:
            shares = f", on val {chosen['val_loss']:.3f}"
        minutes = f"{(log[-1]['seconds'] or 0) / 60:.1f} minutes in all"
        chosen_line = f"Epoch {self.record.epoch} of {len(log)}: loss {chosen['loss']:.3f}{shares}; {minutes}."
        return f"{self.record.about}\n{chosen_line}"

    def tables(self) -> list[Table]:
        """The log."""
        log = self.log
        rows = [[_cell(name, value) for name, value in row.items()] for row in log]
        columns = [Column(name=name.replace("_", " ")) for name in log[0]]
        return [Table(title="Training", columns=columns, rows=rows)]

    def to_text(self, width: int | None = None) -> str:
        """A few lines, the last of which is the command that evaluates the learner; the log is in its file."""
        kept = f"Saved to {self.folder}: weights.safetensors, every snapshot, log.csv."
        return "\n".join([self.summary(), kept, *([f"Evaluate it: {self.command}"] if self.command else []), ""])

    def to_json(self, command: Sequence[str] = ()) -> str:
        """The record and the log as JSON."""
        about = {"schema": 1, "fairshot": fairshot.__version__, "command": list(command), "folder": str(self.folder)}
        return json.dumps({**about, "record": self.record.as_dict(), "log": self.log}, indent=1)


def _cell(name: str, value: Number) -> Cell:
    if name in SHARES:
        return Quantity(value=value, unit="share", why="" if value is not None else "the split has no val part")
    if name == "seconds":
        return Quantity(value=value, unit="seconds")
    return value if name in WHOLE else Quantity(value=value, digits=3)
