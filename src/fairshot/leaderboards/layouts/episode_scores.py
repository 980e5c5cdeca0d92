"""Scores of every episode as few-shot papers keep them: an array of accuracies for each method.

`METHOD.npy` or `METHOD.txt` hold one method, `.npz`, `.json` and tables of numbers one for each name; rows of an array
are runs. Nothing says which images and classes an episode had, so what can be said is about more such episodes.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from fairshot.leaderboards.layouts.layout import as_number
from fairshot.leaderboards.leaderboard import Record
from fairshot.runtime.errors import FairshotError

PLAIN = {"acc", "accs", "accuracy", "accuracies", "score", "scores", "acc_all", "arr_0"}
"""Names of an array that say what it is, and not whose."""
NOTE = (
    "Scores of episodes without their images and classes: intervals are for more episodes of the same images. "
    "Episodes of the same number are taken as the same."
)


def are_arrays(document: Any) -> bool:
    """Whether a value in JSON is lists of numbers by name."""
    return (
        isinstance(document, Mapping)
        and bool(document)
        and all(isinstance(value, list) and value and as_number(value[0]) is not None for value in document.values())
    )


def read_arrays(path: Path) -> dict[str, np.ndarray]:
    """The arrays of an .npy, .npz or .txt file by the names of their methods."""
    try:
        if path.suffix.lower() == ".txt":
            return {path.stem: np.array([float(word) for word in path.read_text().replace(",", " ").split()])}
        loaded = np.load(path, allow_pickle=False)
        if isinstance(loaded, np.ndarray):
            return {path.stem: loaded}
        with loaded:
            return {path.stem if name in PLAIN else name: loaded[name] for name in loaded.files}
    except Exception as error:  # whatever a damaged or lying file may raise
        raise FairshotError(
            f"cannot read {path} as scores of episodes ({error}): give plain arrays of numbers"
        ) from error


def numeric_columns(rows: Sequence[Mapping[str, Any]], where: str) -> dict[str, np.ndarray]:
    """The columns of a table in which every column is a method and every row an episode."""
    columns = {}
    for name in rows[0] if rows else ():
        values = [as_number(row[name]) for row in rows]
        if any(value is None for value in values):
            raise FairshotError(
                f"{where} has no column method, and '{name}' holds no numbers: give rows of method, item and score, or "
                "a column of numbers for each method"
            )
        columns[str(name)] = np.array(values, dtype=np.float64)
    return columns


def to_records(arrays: Mapping[str, Any], where: str) -> list[Record]:
    """A record for each episode and run of each method."""
    records = list[Record]()
    for method, given in arrays.items():
        values = np.asarray(given, dtype=np.float64)
        if values.ndim not in (1, 2) or not values.size or not np.isfinite(values).all():
            raise FairshotError(
                f"{method} in {where} has shape {values.shape}: give a number for each episode, or for each run and "
                "episode"
            )
        runs = values.reshape(-1, values.shape[-1])
        names = [str(number) for number in range(len(runs))] if len(runs) > 1 else [""]
        for run, row in zip(names, runs.tolist(), strict=True):
            records += [
                Record(method=method, item=str(number), score=score, run=run, unit="episodes")
                for number, score in enumerate(row)
            ]
    return records
