"""Results of MTEB: `MODEL/REVISION/TASK.json`, one main score for each task, split and subset.

From version 2 on, a model that was asked with other settings stands in `MODEL/REVISION/experiments/SETTINGS`, and is a
method of its own. Items are not in these files, so what can be said is about data sets: each is one score, the mean
over its subsets. Some files of the first versions name no main score; then a metric has to be chosen.
"""

import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fairshot.leaderboards.layouts.layout import Columns, as_number, read_json
from fairshot.leaderboards.leaderboard import Record
from fairshot.runtime.errors import FairshotError, unknown

META, EXPERIMENTS = "model_meta.json", "experiments"
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
    metric = columns.get("metric", MAIN)
    found = map(as_number, _scores(splits.get(split), metric.split(".")))
    scores = [score for score in found if score is not None and not math.isnan(score)]
    if not scores:
        raise FairshotError(
            f"{path} has no {metric} of a split: give a result file of a task as MTEB writes it, or choose a score, "
            "metric=NAME"
        )
    mean = sum(scores) / len(scores)
    return [Record(method=_model(path), item=task, score=mean, unit="data sets")]


def _scores(split: Any, metric: Sequence[str]) -> list[Any]:
    """One score of all subsets: a list of subsets, one subset, or subsets by name in the first versions."""
    if isinstance(split, list):
        return [_inside(subset, metric) for subset in split]
    if not isinstance(split, Mapping):
        return []
    alone = _inside(split, metric)
    return [_inside(subset, metric) for subset in split.values()] if alone is None else [alone]


def _inside(subset: Any, metric: Sequence[str]) -> Any:
    """A score by its name; first versions had scores in groups: `cos_sim.spearman`."""
    for word in metric:
        subset = subset.get(word) if isinstance(subset, Mapping) else None
    return subset


def _model(path: Path) -> str:
    """The name of the model, from the file beside or from the folders above, with the settings of an experiment."""
    folder = path.resolve().parent
    experiment = f" ({folder.name})" if folder.parent.name == EXPERIMENTS else ""
    home = folder.parent.parent if experiment else folder
    for place in (folder, home):
        name = read_json(place / META).get("name") if (place / META).is_file() else None
        if name:
            return f"{name}{experiment}"
    return (home.parent if REVISION.fullmatch(home.name) else home).name.replace("__", "/") + experiment
