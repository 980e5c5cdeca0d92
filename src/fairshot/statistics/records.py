"""The folder of a result: result.json, a table of all episodes, every query's correctness, who was in each episode."""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.files import complete_file
from fairshot.runtime.result import Result, Row, SourceName, read_result, write_result
from fairshot.sources.source import Source
from fairshot.statistics.scores import Scores
from fairshot.tasks.task import TaskDistribution

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


def keep_records(
    out: Path, result: Result, scores: Sequence[Scores], tasks: Mapping[str, tuple[TaskDistribution, Source]]
) -> None:
    """Adds the result to the folder; rows that were there and were not made anew stay."""
    kept = read_result(out / "result.json").rows if (out / "result.json").exists() else []
    new = {_identity(row) for row in result.rows}
    old = [row for row in kept if _identity(row) not in new]
    for key, (task, part) in tasks.items():
        count = max(row.episodes for row in result.rows if row.episodes_key == key)
        _save_episodes(out / "episodes" / f"{key}.npz", task, part, range(count), result.seed)
    _write_table(out / "episodes.csv", {_identity(row) for row in old}, list(zip(result.rows, scores, strict=True)))
    write_result(result.model_copy(update={"rows": old + result.rows}), out / "result.json")


def _identity(row: Row) -> tuple[str, str, str]:
    return row.learner, row.task, row.metric


def _write_table(path: Path, stay: set[tuple[str, str, str]], rows: list[tuple[Row, Scores]]) -> None:
    there = []
    if path.exists():
        with open(path, newline="") as file:
            there = [line for line in csv.reader(file) if tuple(line[:3]) in stay]
    with complete_file(path) as unfinished, open(unfinished, "w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["learner", "task", "metric", "episode", "score"])
        table.writerows(there)
        for row, scores in rows:
            table.writerows([*_identity(row), number, value] for number, value in enumerate(scores.values.tolist()))


def _save_episodes(path: Path, task: TaskDistribution, part: Source, episodes: range, seed: int) -> None:
    """Image and class ids of every episode, in the smallest integers that hold them."""
    if path.exists():
        with np.load(path) as saved:
            if len(saved["class_ids"]) >= len(episodes):
                return
    sampled = task.sample(part, episodes, seed)
    tables = {
        name: table.astype(np.min_scalar_type(-int(table.max()) - 1))
        for name, table in zip(TABLES, sampled.tables, strict=True)
    }
    with complete_file(path) as unfinished:
        np.savez(unfinished, allow_pickle=False, **tables)
