"""The folder of a result: result.json, a table of all episodes, every query's correctness, who was in each episode."""

import csv
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from jaxtyping import Float

from fairshot.results.schema import Result, Row, SourceName, read_result, write_result
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.files import complete_file
from fairshot.runtime.fingerprints import fingerprint
from fairshot.sources.source import Source
from fairshot.statistics.answers import Layout, drawable_layout
from fairshot.tasks.episodes import Episodes, join
from fairshot.tasks.task import BLOCK, TaskDistribution

Values = Float[np.ndarray, "_"]
LAYOUT = ("classes", "counts", "parents", "image_ids", "groups", "units")
TABLES = ("support_ids", "support_labels", "query_ids", "query_labels", "class_ids")


def refuse_other_results(out: Path | None, source: SourceName, seed: int) -> None:
    """Raises if the folder holds results of other data or of another seed, which must not be mixed or lost."""
    if out is None or not (out / "result.json").exists():
        return
    there = read_result(out / "result.json")
    if (there.source, there.seed) != (source, seed):
        raise FairshotError(
            f"{out} holds results of {there.source.name} ({there.source.recipe}, seed {there.seed}), not of "
            f"{source.name} ({source.recipe}, seed {seed}): choose another --out"
        )


def joint_key(rows: Sequence[Row]) -> str:
    """The rows' own episodes key, or one for all of theirs."""
    keys = sorted({row.episodes_key for row in rows})
    return keys[0] if len(keys) == 1 else fingerprint(keys)


def keep_records(
    out: Path, result: Result, scores: Sequence[Values], tasks: Mapping[str, tuple[TaskDistribution, Source]]
) -> None:
    """Adds the result to the folder; rows that were there and were not made anew stay."""
    kept = read_result(out / "result.json").rows if (out / "result.json").exists() else []
    new = {_identity(row) for row in result.rows}
    old = [row for row in kept if _identity(row) not in new]
    for key, (task, part) in tasks.items():
        count = max(row.episodes for row in result.rows if row.episodes_key == key)
        if count:  # no learner may have been able to serve them
            _save_episodes(out / "episodes" / f"{key}.npz", task, part, range(count), result.seed)
    _write_table(out / "episodes.csv", {_identity(row) for row in old}, list(zip(result.rows, scores, strict=True)))
    rows = old + result.rows
    write_result(result.model_copy(update={"rows": rows, "episodes_key": joint_key(rows)}), out / "result.json")


def _identity(row: Row) -> tuple[str, str, str]:
    return row.learner, row.task, row.metric


def _write_table(path: Path, stay: set[tuple[str, str, str]], rows: list[tuple[Row, Values]]) -> None:
    there = []
    if path.exists():
        with open(path, newline="") as file:
            there = [line for line in csv.reader(file) if tuple(line[:3]) in stay]
    with complete_file(path) as unfinished, open(unfinished, "w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["learner", "task", "metric", "episode", "score"])
        table.writerows(there)
        for row, values in rows:
            table.writerows([*_identity(row), number, value] for number, value in enumerate(values.tolist()))


def scores_path(out: Path, key: str) -> Path:
    """Where the scores of a row are."""
    return out / "scores" / f"{key}.npz"


def load_episodes(out: Path, key: str) -> tuple[Layout, Episodes]:
    """Who was in each episode of a kept result, and who could have been."""
    path = out / "episodes" / f"{key}.npz"
    try:
        with open(path, "rb") as file, np.load(file, allow_pickle=False) as saved:
            tables = dict(saved) if "units" in saved else {**saved, "units": np.arange(len(saved["classes"]))}
            found = {name: tables[name].astype(np.int64) for name in (*TABLES, *LAYOUT)}
            refused = str(saved["refused"]) if "refused" in saved else ""
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise FairshotError(f"{path} is not readable: remove it, and the same evaluation makes it anew") from error
    return Layout(*(found[name] for name in LAYOUT), refused=refused), Episodes(*(found[name] for name in TABLES))


def _save_episodes(path: Path, task: TaskDistribution, part: Source, episodes: range, seed: int) -> None:
    """Image and class ids of every episode, in the smallest integers that hold them."""
    if path.exists():
        with np.load(path) as saved:
            if len(saved["class_ids"]) >= len(episodes):
                return
    blocks = [range(start, min(start + BLOCK, episodes.stop)) for start in range(0, episodes.stop, BLOCK)]
    sampled = join([_small(task.sample(part, block, seed)) for block in blocks])
    layout = drawable_layout(task, part)
    tables = dict(zip(TABLES, sampled.tables, strict=True)) | {name: getattr(layout, name) for name in LAYOUT}
    tables["refused"] = np.array(layout.refused)
    with complete_file(path) as unfinished:
        np.savez(unfinished, allow_pickle=False, **tables)


def _small(episodes: Episodes) -> Episodes:
    return Episodes(*(table.astype(np.min_scalar_type(-int(table.max(initial=0)) - 1)) for table in episodes.tables))
