"""A StudyResult: what running a study gives. It shows itself on a terminal, in a notebook and in a paper."""

import importlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from fairshot.results.schema import Result, Row
from fairshot.tables.render import to_text
from fairshot.tables.table import Table
from fairshot.tables.tabular import Tabular

EXPLAINED = ("tasks", "sides")
"""Views whose notes say by themselves that a study was shortened."""


@dataclass(frozen=True, eq=False)
class StudyResult(Tabular):
    """What a study asked, and what it found."""

    title: str
    paper: str
    view: str
    """How rows are shown where the study has no tables of its own."""
    result: Result

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

    def to_text(self, width: int | None = None) -> str:
        """As printed on a terminal, where tasks do not fit side by side and get a table each."""
        if self.result.study_tables or self.view != "tasks":
            return super().to_text(width)
        return to_text(_reports("evaluations").evaluation_tables(self.result), summary=self.summary(), width=width)

    def to_json(self, command: Sequence[str] = ()) -> str:
        """As `--json` prints it and as it is kept in study.json; the command is the one that ran the study."""
        return self.result.json_text()


def _reports(name: str) -> Any:
    return importlib.import_module(f"fairshot.reports.{name}")
