"""What a source or a part of it holds, as tables."""

from dataclasses import dataclass

import numpy as np

from fairshot.sources.source import Source
from fairshot.tables.table import Cell, Column, Table
from fairshot.tables.tabular import Tabular

MOST_PARENTS = 20  # rows of the table of parents


@dataclass(frozen=True, eq=False, repr=False)
class SourceSummary(Tabular):
    """How many images, classes and parents a source has, in what form, and what is known of each image."""

    source: Source

    def in_brief(self) -> str:
        """Which data it is."""
        return self.source.name

    def summary(self) -> str:
        """The source in one line."""
        source, counts = self.source, self.source.members.counts
        return f"{source.name}: {len(source):,} {self._form()}, {len(counts):,} classes of {_range(counts)}"

    def tables(self) -> list[Table]:
        """All that names the source, and its parents if there are several."""
        source = self.source
        attributes = [f"{name} ({len(np.unique(values)):,})" for name, values in source.attributes.items()]
        rows: list[list[Cell]] = [
            ["images" if source.has_images else "vectors", f"{len(source):,}"],
            ["size", " x ".join(map(str, source.store.shape[1:]))],
            ["classes", f"{len(source.classes):,}"],
            ["images per class", _range(source.members.counts)],
            ["parents", f"{len(source.parent_names):,}"],
            ["recipe", source.recipe.name],
            ["attributes", ", ".join(attributes) or "none"],
            ["fingerprint", source.fingerprint],
        ]
        notes = [f"Note: {note}." for note in source.notes]
        facts = Table(columns=[Column(name="fact"), Column(name="value")], rows=rows, notes=notes)
        return [facts, self._parents()] if len(source.parent_names) > 1 else [facts]

    def _form(self) -> str:
        shape = self.source.store.shape[1:]
        return f"images of {' x '.join(map(str, shape))}" if self.source.has_images else f"vectors of {shape[0]}"

    def _parents(self) -> Table:
        source = self.source
        columns = [Column(name=name) for name in ("parent", "classes", "images", "images per class")]
        rows: list[list[Cell]] = []
        for number, name in enumerate(source.parent_names[:MOST_PARENTS]):
            counts = source.members.counts[source.parent_ids == number]
            rows.append([name, len(counts), int(counts.sum()), _range(counts)])
        rest = len(source.parent_names) - len(rows)
        return Table(columns=columns, rows=rows, notes=[f"And {rest:,} more parents."] if rest else [])


def _range(counts: np.ndarray) -> str:
    low, high = int(counts.min()), int(counts.max())
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"
