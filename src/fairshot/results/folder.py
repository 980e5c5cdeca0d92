"""The folder of a result: result.json, a table of all episodes, every query's correctness, who was in each episode."""

import csv
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from fairshot.results.records import Records, Store
from fairshot.results.schema import Result, Row, SourceName, read_result, write_result
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.files import alone, complete_file
from fairshot.runtime.fingerprints import fingerprint
from fairshot.runtime.kept_tables import read_tables, unreadable_tables, write_tables
from fairshot.runtime.visible_text import spreadsheet_text
from fairshot.statistics.answers import Layout
from fairshot.statistics.scores import Scores, load_scores
from fairshot.tasks.episodes import Episodes

Identity = tuple[str, str, str]
RESULT, TABLE = "result.json", "episodes.csv"
LAYOUT = ("classes", "counts", "parents", "image_ids", "groups", "units")
TABLES = ("support_ids", "support_labels", "query_ids", "query_labels", "class_ids")
KINDS = {name: ("iu", 2) for name in TABLES} | {name: ("iu", 1) for name in LAYOUT if name != "units"}


@dataclass(frozen=True)
class Folder(Store):
    """A store on disk; rows that are there and are not made anew stay."""

    path: Path

    @property
    def result(self) -> Result:
        """The result that is kept here."""
        return read_result(self.path / RESULT)

    def refuse_other(self, source: SourceName, seed: int) -> None:
        """Raises if the folder holds results of other data or of another seed, which must not be mixed or lost."""
        if not (self.path / RESULT).exists():
            return
        there = self.result
        same_name = (there.source.name, there.source.recipe, there.seed) == (source.name, source.recipe, seed)
        if there.source.identity != source.identity and same_name:
            raise FairshotError(
                f"{self.path} holds results of other data that is called {source.name} too: choose another folder"
            )
        if (there.source.identity, there.seed) != (source.identity, seed):
            raise FairshotError(
                f"{self.path} holds results of {there.source.name} ({there.source.recipe}, seed {there.seed}), not of "
                f"{source.name} ({source.recipe}, seed {seed}): choose another folder"
            )

    def scores_path(self, key: str) -> Path:
        """Where the scores of a row are."""
        return self._file("scores", key)

    def _file(self, kind: str, key: str) -> Path:
        """The file of a key, which never lies elsewhere: a result may come from anybody."""
        if not re.fullmatch(r"[\w-]+", key):
            raise FairshotError(f"{self.path / RESULT} names {kind} that no command keeps ('{key}'): do not use it")
        return self.path / kind / f"{key}.npz"

    def find_scores(self, key: str) -> Scores | None:
        """The scores that are kept under a key so far."""
        path = self.scores_path(key)
        return load_scores(path) if path.exists() else None

    def scores(self, key: str) -> Scores:
        """The scores of one row, or of one of the runs it is the mean of."""
        return load_scores(self.scores_path(key))

    def keep_scores(self, key: str, scores: Scores) -> None:
        """Writes the scores, or leaves what was there: also where another command has answered more episodes."""
        path = self.scores_path(key)
        with alone(path):
            if _count(path, "values") < len(scores):
                scores.save(path)

    def episodes(self, key: str, count: int) -> tuple[Layout, Episodes]:
        """The first episodes under a key, and what they could have drawn from."""
        layout, episodes = load_episodes(self._file("episodes", key))
        return layout, episodes[:count]

    def keep(self, result: Result, records: Records) -> None:
        """Adds the result to the folder, with the scores and episodes that its rows name.

        Of several commands one at a time does so, and each finds what the others have added.
        """
        with alone(self.path / RESULT):
            self.refuse_other(result.source, result.seed)
            kept_rows = self.result.rows if (self.path / RESULT).exists() else []
            new = {_identity(row) for row in result.rows}
            old = [row for row in kept_rows if _identity(row) not in new]
            for key in {key for row in result.rows for key in score_keys(row)}:
                self.keep_scores(key, records.scores(key))
            for key, count in episode_counts(result.rows).items():
                self._keep_episodes(key, count, records)
            rows = old + result.rows
            self._write_table(rows)
            update = {"rows": rows, "episodes_key": joint_key(rows)}
            write_result(result.model_copy(update=update), self.path / RESULT)

    def _keep_episodes(self, key: str, count: int, records: Records) -> None:
        """Image and class ids of every episode, in the smallest integers that hold them."""
        path = self._file("episodes", key)
        if _count(path, "class_ids") >= count:
            return
        write_tables(path, episode_tables(*records.episodes(key, count)))

    def _write_table(self, rows: Sequence[Row]) -> None:
        """All scores of all rows for other programs; fairshot itself never reads this file."""
        with complete_file(self.path / TABLE) as unfinished, open(unfinished, "w", newline="") as file:
            table = csv.writer(file)
            table.writerow(["learner", "task", "metric", "episode", "score"])
            for row in rows:
                names = [spreadsheet_text(name) for name in _identity(row)]
                table.writerows([*names, number, value] for number, value in enumerate(self._values(row)))

    def _values(self, row: Row) -> list[float]:
        """The score of every episode; nothing for a row that was made out of others, or whose scores are gone."""
        keys = score_keys(row)
        if not keys or not all(self.scores_path(key).exists() for key in keys):
            return []
        return list(np.mean([self.scores(key).values[: row.episodes] for key in keys], axis=0).tolist())


def episode_tables(layout: Layout, episodes: Episodes) -> dict[str, np.ndarray]:
    """What is kept of episodes, in the smallest integers that hold it."""
    smallest = [table.astype(np.min_scalar_type(-int(table.max(initial=0)) - 1)) for table in episodes.tables]
    tables = dict(zip(TABLES, smallest, strict=True)) | {name: getattr(layout, name) for name in LAYOUT}
    return {"refused": np.array(layout.refused), **tables}


def load_episodes(path: Path, content: bytes | None = None) -> tuple[Layout, Episodes]:
    """The episodes in an .npz file, or in what is the content of one; older ones have no units."""
    saved = read_tables(path, KINDS, content)
    tables = {"units": np.arange(len(saved["classes"])), "refused": np.array(""), **saved}
    columns = {name: tables[name].astype(np.int64) for name in (*TABLES, *LAYOUT)}
    if not _agree(columns):
        raise unreadable_tables(path)
    layout = Layout(**{name: columns[name] for name in LAYOUT}, refused=str(tables["refused"]))
    return layout, Episodes(*(columns[name] for name in TABLES))


def as_store(out: Path | str | Store | None) -> Store | None:
    """A folder by its path, any other store as it is."""
    return Folder(Path(out)) if isinstance(out, str | Path) else out


def joint_key(rows: Sequence[Row]) -> str:
    """The rows' own episodes key, or one for all of theirs."""
    keys = sorted({row.episodes_key for row in rows})
    return keys[0] if len(keys) == 1 else fingerprint(keys)


def _identity(row: Row) -> Identity:
    return row.learner, row.task, row.metric


def score_keys(row: Row) -> list[str]:
    """The keys of the scores that a row stands for; a row made out of others has none."""
    return [key for key in row.runs or [row.scores_key] if key]


def _count(path: Path, name: str) -> int:
    """How many episodes a file holds; none where there is no file, or none that can be read."""
    try:
        return len(read_tables(path, {})[name])
    except (FairshotError, LookupError, TypeError):
        return 0


def _agree(columns: Mapping[str, np.ndarray]) -> bool:
    """Whether all tables speak of the same episodes, classes and images."""
    lengths = {name: len(table) for name, table in columns.items()}
    return (
        len({lengths[name] for name in TABLES}) == 1
        and len({lengths[name] for name in ("classes", "counts", "parents", "units")}) == 1
        and lengths["image_ids"] == lengths["groups"] == int(columns["counts"].sum())
    )


def episode_counts(rows: Sequence[Row]) -> dict[str, int]:
    """How many episodes of each key some row has answered; none where no learner could serve them."""
    counts: dict[str, int] = {}
    for row in rows:
        counts[row.episodes_key] = max(counts.get(row.episodes_key, 0), row.episodes)
    return {key: count for key, count in counts.items() if count}
