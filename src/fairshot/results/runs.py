"""Runs: the results and trainings below a folder, each with what it is of."""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fairshot.results.folder import RESULT
from fairshot.results.schema import read_result
from fairshot.results.study_result import STUDY
from fairshot.runtime.errors import FairshotError, unknown
from fairshot.runtime.files import complete_file, expand, files_below
from fairshot.tables.table import Cell, Table, plain_columns
from fairshot.tables.tabular import Tabular
from fairshot.tables.words import count_of

TRAINING, WEIGHTS, INDEX = "training.json", "weights.safetensors", "index.json"
ALL_KINDS = ("evaluation", "study", "training", "not readable")
NOTED = ("kind", "data", "about", "learners")


@dataclass(frozen=True)
class Run:
    """One folder that a command wrote to."""

    path: Path
    kind: str
    data: str = ""
    about: str = ""


Found = tuple[Run, list[str]]
"""A run, and the learners in it."""


@dataclass(frozen=True, repr=False)
class Runs(Tabular):
    """All of them, in the order of their paths."""

    folder: Path
    runs: tuple[Run, ...]

    def __iter__(self) -> Iterator[Run]:
        return iter(self.runs)

    def __len__(self) -> int:
        return len(self.runs)

    def in_brief(self) -> str:
        """How many there are."""
        return f"{count_of(len(self.runs), 'run')} below {self.folder}"

    def summary(self) -> str:
        """The same as a sentence."""
        return f"{self.in_brief()}."

    def tables(self) -> list[Table]:
        """A line for each."""
        rows: list[list[Cell]] = [[str(run.path), run.kind, run.data, run.about] for run in self.runs]
        return [Table(columns=plain_columns("run", "kind", "data", "about"), rows=rows)] if rows else []


def find_runs(
    folder: Path | str = "runs", *, kind: str = "", data: str = "", learner: str = "", index: bool = False
) -> Runs:
    """Every run below a folder; one that cannot be read is listed with the reason.

    Only those of a kind (evaluation, study, training, not readable), of data or of a learner whose name holds a text.
    With `index` what was read is kept in the folder, in index.json, and files that have not changed are not read again.
    """
    root = expand(folder)
    if not root.is_dir():
        raise FairshotError(f"there is no folder {folder}: give one that commands wrote to with out")
    if kind and kind not in ALL_KINDS:
        raise unknown("kind of run", kind, ALL_KINDS)
    known = _read_index(root) if index else {}
    notes = {
        str(file.relative_to(root)): _note(file, root, known) for file in files_below(root) if file.name in READERS
    }
    if index and notes != known:
        with suppress(FairshotError, OSError), complete_file(root / INDEX) as unfinished:  # else it may only be read
            unfinished.write_text(json.dumps({"version": 1, "runs": notes}, indent=1) + "\n")
    found = [Run(root / file, note["kind"], note["data"], note["about"]) for file, note in notes.items()]
    wanted = [
        replace(run, path=run.path.parent)
        for run in found
        if kind in ("", run.kind) and data in run.data and learner in notes[str(run.path.relative_to(root))]["learners"]
    ]
    return Runs(root, tuple(wanted))


def _note(file: Path, root: Path, known: dict[str, Any]) -> dict[str, Any]:
    """What is said of a run, as it was noted where its file is still the same."""
    stamp = _stamp(file)
    noted = known.get(str(file.relative_to(root)))
    if isinstance(noted, dict) and noted.get("stamp") == stamp and all(isinstance(noted.get(n), str) for n in NOTED):
        return noted
    run, learners = READERS[file.name](file)
    return {"stamp": stamp, "kind": run.kind, "data": run.data, "about": run.about, "learners": " ".join(learners)}


def _stamp(file: Path) -> list[int]:
    """The state of a file, and whether a training has ended."""
    status = os.stat(file)
    return [status.st_size, status.st_mtime_ns, status.st_ino, int(file.with_name(WEIGHTS).exists())]


def _read_index(root: Path) -> dict[str, Any]:
    """What is noted; nothing where it cannot be read, since all of it can be made again."""
    try:
        kept = json.loads((root / INDEX).read_text())
        return dict(kept["runs"]) if kept["version"] == 1 else {}
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return {}


def _evaluation(file: Path) -> Found:
    try:
        result = read_result(file)
    except FairshotError as error:
        return Run(file.parent, "not readable", about=str(error)), []
    learners = list(dict.fromkeys(row.learner for row in result.rows))
    tasks = list(dict.fromkeys(row.task for row in result.rows))
    about = f"{', '.join(learners[:3])}{' ...' if len(learners) > 3 else ''} on {count_of(len(tasks), 'task')}"
    return Run(file.parent, "evaluation", result.source.name, about), learners


def _study(file: Path) -> Found:
    try:
        result = read_result(file)
    except FairshotError as error:
        return Run(file.parent, "not readable", about=str(error)), []
    learners = list(dict.fromkeys(row.learner for row in result.rows))
    return Run(file.parent, "study", result.source.name, count_of(len(result.rows), "row")), learners


def _training(file: Path) -> Found:
    try:
        record = json.loads(file.read_text())["record"]
        name, source = str(record["learner"]), str(record["source"])
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return Run(file.parent, "not readable", about=f"{file} is not the setting of a training"), []
    finished = file.with_name(WEIGHTS).exists()
    return Run(file.parent, "training", source, name if finished else f"{name}, not finished"), [name]


READERS: dict[str, Callable[[Path], Found]] = {RESULT: _evaluation, STUDY: _study, TRAINING: _training}
