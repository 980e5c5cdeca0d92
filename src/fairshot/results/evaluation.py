"""An Evaluation: what `evaluate` gives. Rows with estimates, the scores of every query, the episodes behind them."""

import importlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairshot.results.folder import Folder
from fairshot.results.records import Records
from fairshot.results.schema import Result, Row, ShotCurve, SourceName
from fairshot.runtime.arguments import checked
from fairshot.runtime.errors import FairshotError, shown, unknown
from fairshot.statistics.answers import Answers, tabulate
from fairshot.statistics.intervals.populations import MOST
from fairshot.statistics.intervals.runs import mean_of_runs
from fairshot.statistics.scores import Scores
from fairshot.tables.render import to_csv
from fairshot.tables.table import Table
from fairshot.tables.tabular import Tabular
from fairshot.tables.words import count_of


@dataclass(frozen=True, eq=False, repr=False)
class Evaluation(Tabular):
    """Learners on tasks. Indexed by learner and, where that is not enough, by shot, task or metric."""

    result: Result
    """What is kept of it as JSON."""
    records: Records
    """Where scores and episodes are found."""

    @classmethod
    @checked
    def load(cls, folder: Path | str) -> "Evaluation":
        """What `save`, or `evaluate` with `out`, left in a folder."""
        store = Folder(Path(folder))
        return cls(store.result, store)

    @checked
    def save(self, folder: Path | str) -> Path:
        """Adds it to a folder, with the scores of every query and the episodes."""
        store = Folder(Path(folder))
        store.refuse_other(self.source, self.result.seed)
        store.keep(self.result, self.records)
        return store.path

    @checked
    def passport(self, path: Path | str) -> Path:
        """Writes one file, a .zip, with all that `fairshot.verify` needs on another machine."""
        return importlib.import_module("fairshot.results.passport").write_passport(self, Path(path))

    @property
    def rows(self) -> list[Row]:
        """One learner on one task each."""
        return self.result.rows

    @property
    def source(self) -> SourceName:
        """Which data it was."""
        return self.result.source

    @property
    def shots(self) -> list[ShotCurve]:
        """The score against the number of shots, for each learner that answered at least three numbers."""
        return self.result.shots

    @property
    def notes(self) -> list[str]:
        """What a reader must know of the data and of where the evaluation ended."""
        return self.result.notes

    @property
    def learners(self) -> list[str]:
        """The names of all learners."""
        return list(dict.fromkeys(row.learner for row in self.rows))

    @property
    def tasks(self) -> list[str]:
        """The labels of all tasks."""
        return list(dict.fromkeys(row.task for row in self.rows))

    def in_brief(self) -> str:
        """How many learners answered how many tasks."""
        return f"{count_of(len(self.learners), 'learner')}, {count_of(len(self.tasks), 'task')} on {self.source.name}"

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __contains__(self, sought: object) -> bool:
        """Whether there is a row of that learner, `"ridge" in e` or `("ridge", 5) in e`; or whether a row is here."""
        if isinstance(sought, Row):
            return sought in self.rows
        learner, *rest = sought if isinstance(sought, tuple) and sought else (sought,)
        return any(row.learner == learner and all(_matches(row, word) for word in rest) for row in self.rows)

    def __getitem__(self, key: Any) -> Row:
        """The row of a learner: `e["ridge"]`, `e["ridge", 5]` (shot), `e["ridge", "5-way 1-shot 15-query"]`."""
        learner, *rest = key if isinstance(key, tuple) else (key,)
        if not isinstance(learner, str):
            raise FairshotError(f"rows are found by their learner, and this is {shown(learner)}: say e['ridge']")
        rows = [row for row in self.rows if row.learner == learner]
        if not rows:
            raise unknown("learner", str(learner), self.learners)
        matching = [row for row in rows if all(_matches(row, word) for word in rest)]
        if len(matching) == 1:
            return matching[0]
        known = "; ".join(f"{row.task}, {row.metric}" for row in (matching or rows))
        asked = ", ".join(map(str, (learner, *rest)))
        which = "several rows match" if matching else "no row matches"
        raise FairshotError(f"{which} {asked}: add or correct the shot, the task or the metric; there are: {known}")

    @checked
    def scores(self, row: Row) -> list[Scores]:
        """The scores behind a row: its own, or those of each run that it is the mean of."""
        return [self.records.scores(key)[: row.episodes] for key in row.runs or [row.scores_key]]

    @checked
    def answers(self, row: Row, count: int = MOST, *, per_query: bool | None = None) -> Answers:
        """Every query of the first episodes with its correctness, class and image; the mean where there are runs."""
        layout, episodes = self.records.episodes(row.episodes_key, min(count, row.episodes))
        judged_alone = row.per_query if per_query is None else per_query
        tables = [
            tabulate(layout, episodes, scores[: len(episodes)], per_query=judged_alone) for scores in self.scores(row)
        ]
        return mean_of_runs(tables)

    @checked
    def compare(self, *others: "Evaluation", only: Sequence[Any] | None = None) -> Any:
        """Every two learners on the same episodes, paired; see `fairshot.compare`."""
        return importlib.import_module("fairshot.evaluation.compare").compare([self, *others], only=only)

    def ranks(self, over: str | None = None) -> Any:
        """Which places the learners may have on each task, and who may be first; see `fairshot.ranks`."""
        return importlib.import_module("fairshot.evaluation.ranks").ranks(self, over=over)

    def consistency(self, clusterer: str, classifier: str) -> list[Row]:
        """The accuracy of a clusterer by that of a classifier, task by task: what labels are worth (CSCC)."""
        return importlib.import_module("fairshot.evaluation.consistency").divide(self, clusterer, classifier)

    def summary(self) -> str:
        """Which learner is best, and which cannot be distinguished from it."""
        return importlib.import_module("fairshot.reports.best_method").best_method(self)

    def tables(self) -> list[Table]:
        """A table for each task, with a row for each learner."""
        return importlib.import_module("fairshot.reports.evaluations").evaluation_tables(self.result)

    def to_csv(self) -> str:
        """The same as comma-separated values."""
        return to_csv([self._flat_table()])

    @checked
    def plot(self, path: Path | str | None = None) -> Any:
        """The score against the number of shots as a chart of Altair; a path also gets a file: .svg, .png, .html."""
        if not self.shots:
            raise FairshotError(
                "there is no curve to draw: evaluate with at least 3 numbers of shots, such as shot=[1, 2, 5]"
            )
        chart = importlib.import_module("fairshot.reports.charts.shot_curve").shot_chart(self.shots)
        if path is not None:
            importlib.import_module("fairshot.reports.charts.chart").save(chart, Path(path))
        return chart

    def _flat_table(self) -> Table:
        return importlib.import_module("fairshot.reports.evaluations").flat_table(self.result)

    def to_json(self, command: Sequence[str] = ()) -> str:
        """As `--json` prints it and as it is kept in result.json; with the command, where it does not know it."""
        return self.result.model_copy(update={"command": self.result.command or list(command)}).json_text()


def _matches(row: Row, word: Any) -> bool:
    """Whether a shot, a task or a metric is that of the row."""
    if isinstance(word, int):
        return row.shot == word
    return str(word) in (row.task, row.metric, row.family) or getattr(word, "label", None) == row.task
