"""Comparisons: what `compare` gives, every two learners on every task."""

import importlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import fairshot
from fairshot.runtime.errors import unknown
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
        first, second, *task = key
        for comparison in self.pairs:
            if {comparison.first, comparison.second} == {first, second} and task in ([], [comparison.task]):
                return comparison
        raise unknown("pair", f"{first}, {second}", [f"{one.first}, {one.second}" for one in self.pairs])

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

    def to_json(self, command: Sequence[str] = ()) -> str:
        """As `--json` prints it."""
        rows = [asdict(comparison) for comparison in self.pairs]
        for row, comparison in zip(rows, self.pairs, strict=True):  # what forecasts were made of is left out
            for name in comparison.differences:
                del row["differences"][name]["between"]
        document = {"schema": 1, "fairshot": fairshot.__version__, "command": list(command), "rows": rows}
        return json.dumps(document, indent=1)
