"""A Demonstration: what `demo` gives. The evaluation, the audit and the scores of generators, and the page of all."""

import importlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairshot.audits.findings import Audit
from fairshot.reports.demonstration import lesson, short_tables
from fairshot.results.evaluation import Evaluation
from fairshot.scoring.sample_scores import SampleScores
from fairshot.tables.table import Table
from fairshot.tables.tabular import Tabular

PAGE = "report.html"
TITLE = "What fairshot found"


@dataclass(frozen=True, eq=False, repr=False)
class Demonstration(Tabular):
    """Every job with its result; printed, it is one small table and what is to be learned from it."""

    folder: Path
    evaluation: Evaluation
    audit: Audit
    scores: SampleScores | None = None
    left_out: tuple[str, ...] = ()
    """What could not be shown with this data, and what to do."""
    parent: str = "parent"
    """What groups of classes are called."""

    @property
    def page(self) -> Path:
        """Where the report is."""
        return self.folder / PAGE

    def in_brief(self) -> str:
        """Which data it was."""
        return self.evaluation.source.name

    def summary(self) -> str:
        """What is to be learned from it."""
        return "\n".join(lesson(self.evaluation, self.parent))

    def tables(self) -> list[Table]:
        """One table of all learners."""
        return short_tables(self.evaluation, self.left_out, self.parent)

    def to_text(self, width: int | None = None) -> str:
        """The table first and then the lesson, as a reader goes on from there."""
        from fairshot.tables.render import to_text
        from fairshot.tables.terminal import terminal_width, wrapped_lines

        lines = wrapped_lines(self.summary(), width or terminal_width())
        return to_text(self.tables(), width=width) + "\n" + "\n".join([*lines, "", f"Report: {self.page}", ""])

    def to_json(self, command: Sequence[str] = ()) -> str:
        """Every job's result, as `--json` of its own command prints it."""
        results: dict[str, Any] = {"evaluation": self.evaluation, "audit": self.audit}
        named = results if self.scores is None else {**results, "scores": self.scores}
        return json.dumps({name: json.loads(one.to_json(command)) for name, one in named.items()}, indent=1)

    def write(self) -> "Demonstration":
        """Writes the page; returns itself."""
        parts: dict[str, Tabular] = {
            "In short": self,
            "Which learner is best?": self.evaluation,
            "What can this benchmark measure?": self.audit,
        }
        if self.scores is not None:
            parts["Does a generator draw like people?"] = self.scores
        importlib.import_module("fairshot.reports.pages.page").write_page(parts, self.page, TITLE)
        return self
