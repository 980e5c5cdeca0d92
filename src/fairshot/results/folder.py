"""The folder of a result: result.json, a table of all episodes, every query's correctness, who was in each episode."""

import csv
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from jaxtyping import Float

from fairshot.results.records import Records, Store
from fairshot.results.schema import Result, Row, SourceName, read_result, write_result
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.files import complete_file
from fairshot.runtime.fingerprints import fingerprint
from fairshot.statistics.answers import Layout
from fairshot.statistics.scores import Scores, load_scores
from fairshot.tasks.episodes import Episodes

Values = Float[np.ndarray, "_"]
Identity = tuple[str, str, str]
RESULT, TABLE = "result.json", "episodes.csv"
LAYOUT = ("classes", "counts", "parents", "image_ids", "groups", "units")
TABLES = ("support_ids", "support_labels", "query_ids", "query_labels", "class_ids")


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
        return self.path / "scores" / f"{key}.npz"

    def find_scores(self, key: str) -> Scores | None:
        """The scores that are kept under a key so far."""
        path = self.scores_path(key)
        return load_scores(path) if path.exists() else None

    def scores(self, key: str) -> Scores:
        """The scores of one row, or of one of the runs it is the mean of."""
        return load_scores(self.scores_path(key))

    def keep_scores(self, key: str, scores: Scores) -> None:
        """Writes the scores, or leaves what was there."""
        scores.save(self.scores_path(key))

    def episodes(self, key: str, count: int) -> tuple[Layout, Episodes]:
        """The first episodes under a key, and what they could have drawn from."""
        path = self.path / "episodes" / f"{key}.npz"
        try:
            with open(path, "rb") as file, np.load(file, allow_pickle=False) as saved:
                tables = dict(saved) if "units" in saved else {**saved, "units": np.arange(len(saved["classes"]))}
                columns = {name: tables[name].astype(np.int64) for name in (*TABLES, *LAYOUT)}
                refused = str(saved["refused"]) if "refused" in saved else ""
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
            raise FairshotError(f"{path} is not readable: remove it, and the same evaluation makes it anew") from error
        layout = Layout(**{name: columns[name] for name in LAYOUT}, refused=refused)
        return layout, Episodes(*(columns[name] for name in TABLES))[:count]

    def keep(self, result: Result, records: Records) -> None:
        """Adds the result to the folder, with the scores and episodes that its rows name."""
        kept_rows = self.result.rows if (self.path / RESULT).exists() else []
        new = {_identity(row) for row in result.rows}
        old = [row for row in kept_rows if _identity(row) not in new]
        for row in result.rows:
            self._keep_row(row, records)
        for key, count in _episode_counts(result.rows).items():
            self._keep_episodes(key, count, records)
        self._write_table({_identity(row) for row in old}, result.rows, records)
        rows = old + result.rows
        update = {"rows": rows, "episodes_key": joint_key(rows)}
        write_result(result.model_copy(update=update), self.path / RESULT)

    def _keep_row(self, row: Row, records: Records) -> None:
        """Writes the scores of a row that are not here yet; a row made out of others has none."""
        for key in filter(None, row.runs or [row.scores_key]):
            path = self.scores_path(key)
            if not path.exists() or len(load_scores(path)) < row.episodes:
                self.keep_scores(key, records.scores(key))

    def _keep_episodes(self, key: str, count: int, records: Records) -> None:
        """Image and class ids of every episode, in the smallest integers that hold them."""
        path = self.path / "episodes" / f"{key}.npz"
        if path.exists():
            with np.load(path) as saved:
                if len(saved["class_ids"]) >= count:
                    return
        layout, episodes = records.episodes(key, count)
        smallest = [table.astype(np.min_scalar_type(-int(table.max(initial=0)) - 1)) for table in episodes.tables]
        tables = dict(zip(TABLES, smallest, strict=True)) | {name: getattr(layout, name) for name in LAYOUT}
        with complete_file(path) as unfinished:
            np.savez(unfinished, allow_pickle=False, refused=np.array(layout.refused), **tables)

    def _write_table(self, stay: set[Identity], rows: Sequence[Row], records: Records) -> None:
        path = self.path / TABLE
        there = []
        if path.exists():
            with open(path, newline="") as file:
                there = [line for line in csv.reader(file) if tuple(line[:3]) in stay]
        with complete_file(path) as unfinished, open(unfinished, "w", newline="") as file:
            table = csv.writer(file)
            table.writerow(["learner", "task", "metric", "episode", "score"])
            table.writerows(there)
            for row in rows:
                table.writerows([*_identity(row), number, value] for number, value in enumerate(_values(row, records)))


def as_store(out: Path | str | Store | None) -> Store | None:
    """A folder by its path, any other store as it is."""
    return Folder(Path(out)) if isinstance(out, str | Path) else out


def joint_key(rows: Sequence[Row]) -> str:
    """The rows' own episodes key, or one for all of theirs."""
    keys = sorted({row.episodes_key for row in rows})
    return keys[0] if len(keys) == 1 else fingerprint(keys)


def _identity(row: Row) -> Identity:
    return row.learner, row.task, row.metric


def _values(row: Row, records: Records) -> Iterator[float]:
    """The score of every episode; nothing for a row that was made out of others."""
    keys = [key for key in row.runs or [row.scores_key] if key]
    if keys:
        yield from np.mean([records.scores(key).values[: row.episodes] for key in keys], axis=0).tolist()


def _episode_counts(rows: Sequence[Row]) -> dict[str, int]:
    """How many episodes of each key some row has answered; none where no learner could serve them."""
    counts: dict[str, int] = {}
    for row in rows:
        counts[row.episodes_key] = max(counts.get(row.episodes_key, 0), row.episodes)
    return {key: count for key, count in counts.items() if count}
