"""Results of MTEB: `MODEL/REVISION/TASK.json`, one main score for each task, split and subset.

Items are not in these files, so what can be said is about data sets: each is one score, the mean over its subsets.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fairshot.leaderboards.layouts.layout import Columns, as_number, read_json
from fairshot.leaderboards.leaderboard import Record
from fairshot.runtime.errors import FairshotError, unknown

META = "model_meta.json"
REVISION = re.compile(r"[0-9a-f]{6,40}|\d+|no_revision_available|external|main|v[\d.]+")
MAIN = "main_score"
# What stands beside the splits in files of the first versions.
BESIDE = {"mteb_dataset_name", "mteb_version", "dataset_revision", "dataset_version", "evaluation_time", "task_name"}


def is_layout(document: Any) -> bool:
    """Whether a file in JSON is the result of a task of MTEB."""
    if not isinstance(document, Mapping):
        return False
    new = "task_name" in document and isinstance(document.get("scores"), Mapping)
    return new or "mteb_dataset_name" in document or "mteb_version" in document


def to_records(document: Mapping[str, Any], path: Path, columns: Columns) -> list[Record]:
    """One record: the task's score."""
    # The very first version said the name of the task in that of the file alone.
    task = str(document.get("task_name") or document.get("mteb_dataset_name") or path.stem)
    splits = document.get("scores") or {
        name: value for name, value in document.items() if name not in BESIDE and isinstance(value, Mapping)
    }
    asked = columns.get("split")
    if asked and asked not in splits:
        raise unknown(f"split of {path}", asked, splits)
    split = asked or next((name for name in ("test", "validation", "dev") if name in splits), next(iter(splits), ""))
    scores = [score for score in map(as_number, _main_scores(splits.get(split))) if score is not None]
    if not scores:
        raise FairshotError(f"{path} has no {MAIN} of a split: give a result file of a task as MTEB writes it")
    mean = sum(scores) / len(scores)
    return [Record(method=_model(path), item=task, score=mean, unit="data sets")]


def _main_scores(split: Any) -> list[Any]:
    """The main scores of all subsets: a list of subsets, one subset, or subsets by name in the first versions."""
    if isinstance(split, list):
        return [subset.get(MAIN) for subset in split if isinstance(subset, Mapping)]
    if not isinstance(split, Mapping):
        return []
    if MAIN in split:
        return [split[MAIN]]
    return [subset.get(MAIN) for subset in split.values() if isinstance(subset, Mapping)]


def _model(path: Path) -> str:
    """The name of the model, from the file beside or from the folders above."""
    meta = path.parent / META
    if meta.is_file():
        name = read_json(meta).get("name")
        if name:
            return str(name)
    folder = path.resolve().parent
    return (folder.parent if REVISION.fullmatch(folder.name) else folder).name.replace("__", "/")
