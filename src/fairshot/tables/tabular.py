"""Tabular: what shows itself as tables, on a terminal, in a notebook, in a paper and as a data frame."""

import importlib
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

from fairshot.runtime.arguments import checked
from fairshot.runtime.files import PAGES, require_ending
from fairshot.tables.frame import Library
from fairshot.tables.render import to_csv, to_frame, to_html, to_latex, to_markdown, to_text
from fairshot.tables.table import Table


class Tabular(ABC):
    """Shows itself through its tables; a subclass says which they are."""

    @abstractmethod
    def tables(self) -> list[Table]:
        """What it found, as typed tables."""

    def summary(self) -> str:
        """The answer to the question that was asked, in a sentence or two; nothing where there is none."""
        return ""

    @checked
    def to_text(self, width: int | None = None) -> str:
        """As printed on a terminal of that many columns."""
        return to_text(self.tables(), summary=self.summary(), width=width)

    def to_markdown(self) -> str:
        """As tables of a Markdown page."""
        return to_markdown(self.tables(), summary=self.summary())

    def to_latex(self) -> str:
        """As tables of a LaTeX document, for the package booktabs."""
        return to_latex(self.tables())

    def to_csv(self) -> str:
        """All tables as comma-separated values, numbers in full."""
        return to_csv(self.tables())

    @checked
    def to_frame(self, library: Library = "pandas") -> Any:
        """The first table as a data frame of pandas or polars, numbers in full; the library must be installed."""
        return to_frame(self._flat_table(), library)

    def _flat_table(self) -> Table:
        """What a data frame is made of."""
        return self.tables()[0]

    @checked
    def report(self, path: Path | str) -> Path:
        """Writes a page of it: one HTML file that opens from disk and loads nothing."""
        path = require_ending(Path(path), PAGES, "a page in HTML")
        return importlib.import_module("fairshot.reports.pages.page").write_page(self, path)

    def __str__(self) -> str:
        return self.to_text()

    def in_brief(self) -> str:
        """What it is about in a few words, for those who look at the object itself; nothing where its kind says it."""
        return ""

    def __repr__(self) -> str:
        about = self.in_brief()
        return f"<{type(self).__name__}{f': {about}' if about else ''}; print it to see it>"

    def _repr_html_(self) -> str:
        return to_html(self.tables(), summary=self.summary())
