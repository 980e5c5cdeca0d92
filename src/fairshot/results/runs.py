"""Runs: the results and trainings below a folder, each with what it is of."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from fairshot.results.folder import RESULT
from fairshot.results.schema import read_result
from fairshot.results.study_result import STUDY
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.files import expand, files_below
from fairshot.tables.table import Cell, Table, plain_columns
from fairshot.tables.tabular import Tabular
from fairshot.tables.words import count_of

TRAINING, WEIGHTS = "training.json", "weights.safetensors"


@dataclass(frozen=True)
class Run:
    """One folder that a command wrote to."""

    path: Path
    kind: str
    data: str = ""
    about: str = ""


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


def find_runs(folder: Path | str = "runs") -> Runs:
    """Every run below a folder; one that cannot be read is listed with the reason."""
    root = expand(folder)
    if not root.is_dir():
        raise FairshotError(f"there is no folder {folder}: give one that commands wrote to with out")
    readers = {RESULT: _evaluation, STUDY: _study, TRAINING: _training}
    found = [readers[file.name](file) for file in files_below(root) if file.name in readers]
    return Runs(root, tuple(found))


def _evaluation(file: Path) -> Run:
    try:
        result = read_result(file)
    except FairshotError as error:
        return Run(file.parent, "not readable", about=str(error))
    learners = list(dict.fromkeys(row.learner for row in result.rows))
    tasks = list(dict.fromkeys(row.task for row in result.rows))
    about = f"{', '.join(learners[:3])}{' ...' if len(learners) > 3 else ''} on {count_of(len(tasks), 'task')}"
    return Run(file.parent, "evaluation", result.source.name, about)


def _study(file: Path) -> Run:
    try:
        result = read_result(file)
    except FairshotError as error:
        return Run(file.parent, "not readable", about=str(error))
    return Run(file.parent, "study", result.source.name, count_of(len(result.rows), "row"))


def _training(file: Path) -> Run:
    try:
        record = json.loads(file.read_text())["record"]
        name, source = str(record["learner"]), str(record["source"])
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return Run(file.parent, "not readable", about=f"{file} is not the setting of a training")
    finished = file.with_name(WEIGHTS).exists()
    return Run(file.parent, "training", source, name if finished else f"{name}, not finished")
