"""A StudyResult: what running a study gives. It shows itself on a terminal, in a notebook and in a paper."""

import importlib
from collections.abc import Iterator
from dataclasses import dataclass

from fairshot.results.schema import Result, Row
from fairshot.tables.table import Table
from fairshot.tables.tabular import Tabular

VIEWS = {"tasks": "published_table", "sides": "sides_table", "coverage": "coverage_table"}
"""By the view of a study, the function that makes the table of its rows; others make tables of their own."""


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
        if self.result.limited:
            lines.append(f"This is not the whole study: {self.result.preset}.")
        return "\n".join(lines)

    def tables(self) -> list[Table]:
        """The tables of the study; where it has none of its own, one of its rows beside what was published."""
        if self.result.tables:
            return self.result.tables
        make_table = getattr(importlib.import_module("fairshot.reports.result_tables"), VIEWS[self.view])
        table: Table = make_table(self.result)
        return [table.model_copy(update={"notes": [*table.notes, *self._notes()]})]

    def to_json(self) -> str:
        """As `--json` prints it and as it is kept in study.json."""
        return self.result.json_text()

    def _notes(self) -> list[str]:
        """What a reader must know of the data and of the learners."""
        warnings = dict.fromkeys(warning for row in self.rows for warning in row.warnings)
        return [f"Note: {note}." for note in (*self.result.notes, *warnings)]
