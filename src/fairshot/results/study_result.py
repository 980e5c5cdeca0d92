"""A StudyResult: what running a study gives. It shows itself on a terminal, in a notebook and in a paper."""

import importlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairshot.results.schema import Result, Row, read_result, write_result
from fairshot.runtime.arguments import checked
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.files import require_ending
from fairshot.tables.render import to_text
from fairshot.tables.table import Table
from fairshot.tables.tabular import Tabular

STUDY = "study.json"  # where a run with a folder keeps its result
EXPLAINED = ("tasks", "sides")
"""Views whose notes say by themselves that a study was shortened."""


@dataclass(frozen=True, eq=False, repr=False)
class StudyResult(Tabular):
    """What a study asked, and what it found."""

    title: str
    paper: str
    view: str
    """How rows are shown where the study has no tables of its own."""
    result: Result

    def in_brief(self) -> str:
        """Which study it is."""
        return self.title

    @classmethod
    @checked
    def load(cls, path: Path | str) -> "StudyResult":
        """What `save`, or `run` with `out`, left in a file."""
        result = read_result(Path(path))
        study = (result.model_extra or {}).get("study")
        if not isinstance(study, dict) or study.keys() != {"title", "paper", "view"}:
            raise FairshotError(f"{path} does not say which study it is of: run the study again and save it")
        return cls(**study, result=result)

    @checked
    def save(self, path: Path | str) -> Path:
        """Writes a JSON file, whole or not at all."""
        path = require_ending(Path(path), (".json",), "a file in JSON")
        write_result(name_study(self.result, self.title, self.paper, self.view), path)
        return path

    @property
    def rows(self) -> list[Row]:
        """One learner on one task each."""
        return self.result.rows

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def summary(self) -> str:
        """What was asked and where it is from, on what data, and whether the whole study was run."""
        source = self.result.source
        lines = [f"{self.title} ({self.paper})", f"{source.name}, recipe {source.recipe}"]
        if self.result.limited and self.view not in EXPLAINED:
            lines.append(f"This is not the whole study: {self.result.preset}.")
        return "\n".join(lines)

    def tables(self) -> list[Table]:
        """The tables of the study; where it has none of its own, its rows beside what was published."""
        if self.result.study_tables:
            return self.result.study_tables
        tables: list[Table] = _reports("result_tables").view_tables(self.result, self.view)
        return tables

    @checked
    def to_text(self, width: int | None = None) -> str:
        """As printed on a terminal, where tasks do not fit side by side and get a table each."""
        if self.result.study_tables or self.view != "tasks":
            return super().to_text(width)
        return to_text(_reports("evaluations").evaluation_tables(self.result), summary=self.summary(), width=width)

    def pictures(self, folder: Path | str) -> list[Path]:
        """Writes the charts of the study as SVG files, and returns them; nothing where it has none."""
        written: list[Path] = _reports("study_pictures").write_study_pictures(self.result, Path(folder))
        return written

    def to_json(self, command: Sequence[str] = ()) -> str:
        """As `--json` prints it and as it is kept in study.json; the command is the one that ran the study."""
        return self.result.json_text()


def name_study(result: Result, title: str, paper: str, view: str) -> Result:
    """The result with the study that it is of, so that a file of it can be shown as the study shows it."""
    return result.model_copy(update={"study": {"title": title, "paper": paper, "view": view}})


def _reports(name: str) -> Any:
    return importlib.import_module(f"fairshot.reports.{name}")
