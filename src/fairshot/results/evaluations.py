"""Evaluations: one for each of several sources, which answered the same questions."""

import importlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from fairshot.results.evaluation import Evaluation
from fairshot.runtime.arguments import checked
from fairshot.runtime.errors import unknown
from fairshot.tables.render import to_csv
from fairshot.tables.table import Table
from fairshot.tables.tabular import Tabular
from fairshot.tables.words import count_of


@dataclass(frozen=True, eq=False, repr=False)
class Evaluations(Tabular, Mapping[str, Evaluation]):
    """By the name of each source: `e["omniglot/lake/novel"]["ridge"]`."""

    by_source: dict[str, Evaluation]

    def __getitem__(self, name: str) -> Evaluation:
        if name not in self.by_source:
            raise unknown("source", name, self.by_source)
        return self.by_source[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.by_source)

    def __len__(self) -> int:
        return len(self.by_source)

    def in_brief(self) -> str:
        """How many there are."""
        return count_of(len(self), "source")

    def tables(self) -> list[Table]:
        """Those of each source below its name."""
        return [
            table.model_copy(update={"title": f"{name}: {table.title}" if table.title else name})
            for name, evaluation in self.items()
            for table in evaluation.tables()
        ]

    def to_csv(self) -> str:
        """The same as comma-separated values."""
        return to_csv([self._flat_table()])

    @checked
    def save(self, folder: Path | str) -> Path:
        """Adds each to a folder of its own below this one."""
        for name, evaluation in self.items():
            evaluation.save(source_folder(folder, name))
        return Path(folder)

    def _flat_table(self) -> Table:
        """Rows of all sources under the same columns; each says its part."""
        flat_table = importlib.import_module("fairshot.reports.evaluations").flat_table
        results = [evaluation.result for evaluation in self.values()]
        rows = [row for result in results for row in result.rows]
        table: Table = flat_table(results[0].model_copy(update={"rows": rows}))
        return table


def source_folder(folder: Path | str, name: str) -> Path:
    """Where the evaluation of one of several sources is kept."""
    return Path(folder) / name.replace("/", "-")
