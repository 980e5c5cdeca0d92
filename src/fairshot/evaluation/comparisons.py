"""Comparisons: what `compare` gives, every two learners on every task."""

import importlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

import fairshot
from fairshot.runtime.arguments import checked
from fairshot.runtime.errors import FairshotError, unknown
from fairshot.runtime.files import complete_file, require_ending
from fairshot.statistics.comparison import Comparison
from fairshot.tables.table import Table
from fairshot.tables.tabular import Tabular
from fairshot.tables.words import count_of

KIND = "comparisons"  # what a file of them says that it holds


@dataclass(frozen=True, eq=False, repr=False)
class Comparisons(Tabular, Sequence[Comparison]):
    """Paired differences, by number or by two learners: `c["ridge", "prototypes"]`, with the task where needed."""

    pairs: tuple[Comparison, ...]
    full: bool = False
    """Whether every pair is shown in full, however many learners there are."""
    other_classes: int | None = None
    """On how many other classes it might be repeated, if not on as many."""
    notes: tuple[str, ...] = ()
    """What a reader must know of how results from elsewhere were read."""

    def in_brief(self) -> str:
        """How many were compared."""
        return f"{count_of(len(self.pairs), 'pair')} of {count_of(len(self.learners), 'learner')}"

    def __iter__(self) -> Iterator[Comparison]:
        return iter(self.pairs)

    def __len__(self) -> int:
        return len(self.pairs)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, int | slice):
            return self.pairs[key]
        if not isinstance(key, tuple) or len(key) not in (2, 3):
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

    @classmethod
    @checked
    def load(cls, path: Path | str) -> "Comparisons":
        """What `save` wrote into a file."""
        try:
            document = json.loads(Path(path).read_text(encoding="utf-8"))
            pairs = TypeAdapter(tuple[Comparison, ...]).validate_python(document["rows"])
            shown = document.get("full", False), document.get("other_classes"), tuple(document.get("notes", ()))
            return cls(pairs, *shown)
        except (OSError, TypeError, ValueError, LookupError) as error:
            raise FairshotError(f"{path} holds no comparisons: make such a file with compare(...).save()") from error

    @checked
    def save(self, path: Path | str) -> Path:
        """Writes a JSON file, whole or not at all."""
        path = require_ending(Path(path), (".json",), "a file in JSON")
        document = self._document([asdict(comparison) for comparison in self.pairs])
        with complete_file(path) as unfinished:
            unfinished.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
        return path

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
            self.pairs, pairs=self.full, classes=self.other_classes, notes=self.notes
        )

    def ranks(self, over: str | None = None) -> Any:
        """Which places the learners may have on each task, and who may be first; see `fairshot.ranks`."""
        return importlib.import_module("fairshot.evaluation.ranks").rank_comparisons(self, over)

    def _flat_table(self) -> Table:
        """A row for each pair, task and population."""
        table: Table = importlib.import_module("fairshot.reports.comparisons").flat_table(self.pairs)
        return table

    def to_json(self, command: Sequence[str] = ()) -> str:
        """As `--json` prints it."""
        rows = [asdict(comparison) for comparison in self.pairs]
        for row, comparison in zip(rows, self.pairs, strict=True):  # what forecasts were made of is left out
            for name in comparison.differences:
                del row["differences"][name]["between"]
        return json.dumps(self._document(rows, command), indent=1)

    def _document(self, rows: list[dict[str, Any]], command: Sequence[str] = ()) -> dict[str, Any]:
        shown = {"full": self.full, "other_classes": self.other_classes, "notes": list(self.notes)}
        head = {"schema": 1, "kind": KIND, "fairshot": fairshot.__version__, "command": list(command)}
        return {**head, **shown, "rows": rows}
