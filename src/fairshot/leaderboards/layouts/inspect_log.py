"""Logs of Inspect: `.eval` files, which are zip archives of JSON, and `.json` files.

Archives were compressed as zip files usually are, and are now by Zstandard; a run that was stopped leaves no header.

A sample has an id, an epoch, and under `scores` the value that each scorer gave: C, P, I and N, yes or no, a number, or
several of these by name. A sample without a value (NaN) was not scored. Epochs are runs: the same question asked again.
"""

import json
import math
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fairshot.leaderboards.layouts.layout import Columns, as_number, lookup
from fairshot.leaderboards.leaderboard import Record
from fairshot.runtime.errors import FairshotError, unknown
from fairshot.runtime.zip_members import read_member

HEADERS, SAMPLES = ("header.json", "_journal/start.json", "start.json"), "samples/"
# Correct, partial, incorrect, no answer, and words for them: as Inspect counts them.
VALUES = {"c": 1.0, "p": 0.5, "i": 0.0, "n": 0.0, "yes": 1.0, "no": 0.0}


def is_layout(document: Any) -> bool:
    """Whether a file in JSON is a log of Inspect."""
    return isinstance(document, Mapping) and isinstance(document.get("eval"), Mapping) and "samples" in document


def read_archive(path: Path) -> dict[str, Any]:
    """The header and all samples of an .eval file."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            header = next((name for name in HEADERS if name in names), HEADERS[0])
            samples = sorted(name for name in names if name.startswith(SAMPLES) and name.endswith(".json"))
            document, *read = (json.loads(read_member(archive, name)) for name in (header, *samples))
            return {**document, "samples": read}
    except (OSError, KeyError, ValueError, NotImplementedError, zipfile.BadZipFile) as error:
        raise FairshotError(f"cannot read {path} as a log of Inspect ({error}): give a log that is complete") from error


def to_records(document: Mapping[str, Any], path: Path, columns: Columns) -> tuple[list[Record], list[str]]:
    """A record for each sample that was scored, and what was chosen of several scorers."""
    about = document["eval"]
    samples = [sample for sample in document["samples"] or [] if sample.get("scores")]
    if not samples:
        raise FairshotError(f"{path} has no sample with a score: give a log of an evaluation that was finished")
    values = [_values(sample) for sample in samples]
    scorer, notes = _scorer(values, path, str(about.get("task", path.name)), columns)
    records = []
    for sample, given in zip(samples, values, strict=True):
        value = given.get(scorer)
        score = VALUES.get(value.lower(), as_number(value)) if isinstance(value, str) else as_number(value)
        if value is None or (score is not None and math.isnan(score)):
            continue
        if score is None:
            raise FairshotError(
                f"sample {sample.get('id')} of {path} has a value of {scorer} that is no number: choose another scorer"
            )
        chosen = {what: lookup(sample, columns[name], str(path)) for what, name in _MARKERS if name in columns}
        records.append(
            Record(
                method=str(about.get("model", path.stem)),
                item=str(sample.get("id")),
                score=score,
                data_set=str(about.get("task", "")),
                run=" ".join(filter(None, (str(about.get("run_id", "")), f"epoch {sample.get('epoch', 1)}"))),
                **chosen,  # type: ignore[arg-type]  # names are those of fields
            )
        )
    return records, notes


_MARKERS = (("label", "class"), ("group", "group"))


def _values(sample: Mapping[str, Any]) -> dict[str, Any]:
    """What each scorer gave to a sample; several values of one scorer have their names behind a dot."""
    values = dict[str, Any]()
    for name, score in sample["scores"].items():
        value = score.get("value")
        if isinstance(value, Mapping):
            values |= {f"{name}.{key}": inner for key, inner in value.items()}
        else:
            values[name] = value
    return values


def _scorer(values: Sequence[Mapping[str, Any]], path: Path, task: str, columns: Columns) -> tuple[str, list[str]]:
    known = list(dict.fromkeys(name for given in values for name in given))
    asked = columns.get("scorer") or columns.get("score")
    if asked and asked not in known:
        raise unknown(f"scorer of {path}", asked, known)
    note = f"{task}: {known[0]} is compared; also there: {', '.join(known[1:])} (scorer=NAME)"
    return asked or known[0], [note] if len(known) > 1 and not asked else []
