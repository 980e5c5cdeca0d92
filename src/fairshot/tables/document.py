"""A Document: what a verb found, told to people by a module of reports and to machines as JSON."""

import importlib
import json
import math
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import fairshot
from fairshot.runtime.arguments import checked
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.files import complete_file
from fairshot.tables.render import to_html, to_markdown
from fairshot.tables.table import Table
from fairshot.tables.tabular import Tabular

SCHEMA = 1
ENDINGS = (".json", ".csv", ".md", ".tex", ".html", ".txt")


class Document(Tabular):
    """A Tabular that can be saved; its text has sections of sentences beside the tables."""

    report_module: ClassVar[str]
    """The module of reports that has `summary`, `tables` and `sections` for it; it is loaded when it is needed."""

    @abstractmethod
    def fields(self) -> dict[str, Any]:
        """Everything it holds, under the names that it has in JSON."""

    def summary(self) -> str:
        """The answer in a sentence or two."""
        return self._report().summary(self)

    def tables(self) -> list[Table]:
        """What it holds, as typed tables."""
        return self._report().tables(self)

    @checked
    def to_text(self, width: int | None = None) -> str:
        """As the command line prints it: the answer first, then section by section."""
        return self._forms().to_text(self.sections(), width=width)

    def to_markdown(self) -> str:
        """As a Markdown page: section by section, and then all tables in full."""
        return f"{self._forms().to_markdown(self.sections())}\n{to_markdown(self.tables())}"

    def sections(self) -> list[Any]:
        """Headings with sentences and tables below them, as `fairshot.reports.sections` shows them."""
        return self._report().sections(self)

    def to_json(self, command: Sequence[str] = ()) -> str:
        """As `--json` prints it; `command` is the command line that asked for it, if one did."""
        head = {"schema": SCHEMA, "fairshot": fairshot.__version__, "command": list(command)}
        return json.dumps(_finite({**head, **self.fields()}), indent=1, allow_nan=False)

    @checked
    def save(self, path: str | Path) -> Path:
        """Writes one file, in the form that its ending names; it is complete or not there."""
        path = Path(path)
        ending = path.suffix.lower()
        if ending not in ENDINGS:
            raise FairshotError(f"{path} does not say in which form to save: let it end in {', '.join(ENDINGS)}")
        writers: tuple[Callable[[], str], ...] = (
            self.to_json,
            self.to_csv,
            self.to_markdown,
            self.to_latex,
            self._to_page,
            self.to_text,
        )
        text = dict(zip(ENDINGS, writers, strict=True))[ending]()
        with (
            complete_file(path) as unfinished,
            open(unfinished, "w", newline="", encoding="utf-8", errors="surrogateescape") as file,
        ):
            file.write(text)
        return path

    def _to_page(self) -> str:
        """The page that `report` writes."""
        return importlib.import_module("fairshot.reports.pages.page").make_page(self)

    def _repr_html_(self) -> str:
        return f"{self._forms().to_html(self.sections())}{to_html(self.tables())}"

    def _forms(self) -> Any:
        return importlib.import_module("fairshot.reports.sections")

    def _report(self) -> Any:
        return importlib.import_module(self.report_module)


def _finite(value: Any) -> Any:
    """The same value with null for numbers that JSON cannot hold."""
    if isinstance(value, Mapping):
        return {name: _finite(member) for name, member in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(member) for member in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
