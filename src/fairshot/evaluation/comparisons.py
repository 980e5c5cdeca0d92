"""Comparisons: what `compare` gives, every two learners on every task."""

import importlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import fairshot
from fairshot.runtime.errors import FairshotError, unknown
from fairshot.statistics.comparison import Comparison
from fairshot.tables.table import Table
from fairshot.tables.tabular import Tabular


@dataclass(frozen=True, eq=False)
class Comparisons(Tabular, Sequence[Comparison]):
    """Paired differences, by number or by two learners: `c["ridge", "prototypes"]`, with the task where needed."""

    pairs: tuple[Comparison, ...]
    full: bool = False
    """Whether every pair is shown in full, however many learners there are."""
    other_classes: int | None = None
    """On how many other classes it might be repeated, if not on as many."""

    def __iter__(self) -> Iterator[Comparison]:
        return iter(self.pairs)

    def __len__(self) -> int:
        return len(self.pairs)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, int | slice):
            return self.pairs[key]
        if isinstance(key, str) or len(key) not in (2, 3):
            raise FairshotError(
                "a pair is two learners, and the task where there are several: c['ridge', 'prototypes']"
            )
        first, second, *task = key
        matching = [one for one in self.pairs if {one.first, one.second} == {first, second}]
        if not matching:
            raise unknown("pair", f"{first}, {second}", {f"{one.first}, {one.second}" for one in self.pairs})
        chosen = [one for one in matching if task in ([], [one.task])]
        if len(chosen) != 1:
            tasks = "; ".join(one.task for one in matching)
            raise FairshotError(f"say which task of {first}, {second} is meant: there are {tasks}")
        return chosen[0]

    @property
    def learners(self) -> list[str]:
        """The names of all that were compared."""
        return list(dict.fromkeys(name for one in self.pairs for name in (one.first, one.second)))

    def summary(self) -> str:
        """Which learner is best, and which cannot be distinguished from it."""
        return importlib.import_module("fairshot.reports.best_method").best_of_pairs(self.pairs)

    def tables(self) -> list[Table]:
        """A matrix for each task with many learners, or a table for each pair."""
        return importlib.import_module("fairshot.reports.comparisons").comparison_tables(
            self.pairs, pairs=self.full, classes=self.other_classes
        )

    def to_frame(self) -> Any:
        """All pairs as a pandas data frame: a row for each pair, task and population."""
        from fairshot.tables.render import to_frame

        return to_frame(importlib.import_module("fairshot.reports.comparisons").flat_table(self.pairs))

    def to_json(self, command: Sequence[str] = ()) -> str:
        """As `--json` prints it."""
        rows = [asdict(comparison) for comparison in self.pairs]
        for row, comparison in zip(rows, self.pairs, strict=True):  # what forecasts were made of is left out
            for name in comparison.differences:
                del row["differences"][name]["between"]
        document = {"schema": 1, "fairshot": fairshot.__version__, "command": list(command), "rows": rows}
        return json.dumps(document, indent=1)
