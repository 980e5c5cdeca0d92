"""Samples of the Language Model Evaluation Harness: `MODEL/samples_TASK_DATE.jsonl`, as --log_samples writes them.

A line has doc_id, doc, target, resps, filtered_resps, in newer versions filter and metrics, and each metric under its
own name. Earlier ones wrote the same as one list, `samples_TASK_DATE.json`. Where several models were written into one
folder, as with `--output_path FILE.json`, the model stands only in the results of the same date.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fairshot.leaderboards.layouts.layout import Columns, as_number, lookup, read_json
from fairshot.leaderboards.leaderboard import Record
from fairshot.runtime.errors import FairshotError, unknown

NAME = re.compile(r"samples_(?P<task>.+?)(?:_(?P<date>\d{4}-\d{2}-\d{2}T[\d.:-]+))?\.jsonl?")
MARKS = {"doc_id", "filtered_resps"}
NOT_METRICS = {"doc_id", "idx", "schema_version"}


def is_layout(lines: Any) -> bool:
    """Whether lines are samples of the harness."""
    return isinstance(lines, list) and bool(lines) and isinstance(lines[0], Mapping) and lines[0].keys() >= MARKS


def to_records(lines: Sequence[Mapping[str, Any]], path: Path, columns: Columns) -> tuple[list[Record], list[str]]:
    """A record for each document, and what was chosen of several metrics and filters."""
    named = NAME.fullmatch(path.name)
    task = named["task"] if named else path.stem
    method = _model(path, named["date"]) if named else path.stem
    metric, notes = _metric(lines, path, task, columns)
    wanted, more = _filter(lines, path, task, columns)
    records = []
    for line in lines:
        score = as_number(line.get(metric))
        if line.get("filter", wanted) != wanted or score is None:
            continue
        chosen = {what: lookup(line, columns[name], str(path)) for what, name in _MARKERS if name in columns}
        records.append(
            Record(
                method=method,
                item=str(line["doc_id"]),
                score=score,
                data_set=task,
                run=(named["date"] or "") if named else "",
                **chosen,  # type: ignore[arg-type]  # names are those of fields
            )
        )
    return records, [*notes, *more]


_MARKERS = (("label", "class"), ("group", "group"))


def _model(path: Path, date: str | None) -> str:
    """The folder's name, or where results of this date were written beside, the model that they name."""
    folder = path.resolve().parent
    beside = sorted(folder.glob(f"*_{date}.json")) if date else []
    for results in (one for one in beside if not one.name.startswith("samples_")):
        document = read_json(results)
        name = document.get("model_name") if isinstance(document, Mapping) else None
        if name:
            return str(name)
    return folder.name


def _metric(lines: Sequence[Mapping[str, Any]], path: Path, task: str, columns: Columns) -> tuple[str, list[str]]:
    first = lines[0]
    listed = first.get("metrics") or [name for name in first if name not in NOT_METRICS]
    known = [name for name in listed if isinstance(first.get(name), bool | int | float)]
    if not known:
        raise FairshotError(f"{path} has no metric that is a number for each document: log a metric such as acc")
    asked = columns.get("metric") or columns.get("score")
    if asked and asked not in known:
        raise unknown(f"metric of {path}", asked, known)
    others = [name for name in known if name != (asked or known[0])]
    note = f"{task}: {asked or known[0]} is compared; also there: {', '.join(others)} (metric=NAME)"
    return asked or known[0], [note] if others and not asked else []


def _filter(lines: Sequence[Mapping[str, Any]], path: Path, task: str, columns: Columns) -> tuple[str, list[str]]:
    known = list(dict.fromkeys(str(line.get("filter", "none")) for line in lines))
    asked = columns.get("filter")
    if asked and asked not in known:
        raise unknown(f"filter of {path}", asked, known)
    note = f"{task}: answers by the filter {known[0]} are compared; also there: {', '.join(known[1:])} (filter=NAME)"
    return asked or known[0], [note] if len(known) > 1 and not asked else []
