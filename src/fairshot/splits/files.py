"""Splits in files: class lists in JSON or CSV, read over any source and written from any split."""

import csv
import json
import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from fairshot.runtime.errors import FairshotError, unknown
from fairshot.runtime.files import can_write, complete_file, expand
from fairshot.sources.source import Source
from fairshot.splits.definition import LISTED, UPRIGHT, SplitDefinition, define
from fairshot.splits.split import PARTS, Split

ENDINGS = (".json", ".csv")
COLUMNS = ("class", "part")


def read_split(path: str) -> SplitDefinition:
    """The definition in a .json file with lists under base, val and novel, or a .csv file with columns class, part."""
    file = expand(path)
    if not os.path.isfile(file):
        raise FairshotError(
            f"there is no file {path}: give a .json file with class lists, or a .csv file with class and part"
        )
    try:
        said = _read_csv(file) if file.suffix == ".csv" else json.loads(file.read_text(encoding="utf-8"))
    except (ValueError, csv.Error) as error:
        raise FairshotError(f"cannot read {path} as {file.suffix[1:].upper()} ({error}): mend it") from error
    if not isinstance(said, dict):
        raise FairshotError(f'{path} holds no lists: write {{"base": [...], "val": [...], "novel": [...]}}')
    return define(said, name=file.stem, where=str(path))


def _read_csv(file: Path) -> dict[str, list[str]]:
    with open(file, newline="", encoding="utf-8-sig") as lines:
        rows = csv.DictReader(lines, strict=True)
        names = tuple(rows.fieldnames or ())
        if not set(COLUMNS) <= set(names):
            raise FairshotError(f"{file} has the columns {', '.join(names) or '(none)'}: it needs class and part")
        lists: dict[str, list[str]] = {part: [] for part in LISTED}
        for row in rows:
            name, part = row["class"], (row["part"] or "").strip()
            if part not in lists:
                raise unknown(f"part in line {rows.line_num} of {file}", part, LISTED)
            lists[part].append(name)
    return lists


def export_split(split: Split, path: str | Path, *, source: Source | None = None) -> None:
    """Writes a split as a file that `read_split` reads back; a .csv file holds class lists alone.

    `source` is the whole the split was made of. Without it the images of each part are numbered wherever the parts
    leave some of the data out, since nothing else tells whether they have all images of their classes.
    """
    file = expand(path)
    if file.suffix not in ENDINGS or not can_write(file):
        raise FairshotError(f"cannot write a split to {path}: name a .json or .csv file in a folder you can write to")
    said = describe(split, source=source)
    if file.suffix == ".csv" and said.keys() & {"base_heldout", "images", "apart"}:
        raise FairshotError(f"{split.name} is more than lists of classes: write it to a .json file")
    with complete_file(file) as unfinished:
        if file.suffix == ".csv":
            _write_csv(unfinished, said)
        else:
            lines = [f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in said.items()]
            unfinished.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def _write_csv(file: Path, said: dict[str, Any]) -> None:
    with open(file, "w", newline="", encoding="utf-8") as lines:
        rows = [(name, part) for part in LISTED for name in said.get(part, ())]
        csv.writer(lines, lineterminator="\n").writerows([COLUMNS, *rows])


def describe(split: Split, *, source: Source | None = None) -> dict[str, Any]:
    """What a file says of a split: class lists, and the numbers of images where lists of classes are not enough."""
    parts = {part: split.part(part) for part in PARTS if len(getattr(split, part))}
    some = next(iter(parts.values()))
    lists = {part: _listed(parts, part, split.apart) for part in LISTED}
    names = _names(some)
    owner, _, name = split.name.rpartition("/")
    said: dict[str, Any] = {"name": name, "source": owner, "recipe": some.recipe.name}
    said |= {part: ids if split.apart else [names[c] for c in ids] for part, ids in lists.items() if ids}
    said |= {"apart": split.apart} if split.apart else {}
    heldout = {"base_heldout": _numbers(parts["base_heldout"])} if "base_heldout" in parts else {}
    images = {part: numbers for part, numbers in _lacking(parts, lists, split.apart, source).items() if numbers}
    said |= heldout | ({"images": images} if images else {})
    return said | ({"root": some.root} if heldout or images else {})


def _names(part: Source) -> tuple[str, ...]:
    """The names of classes before rotations were added; with the parent before them where one name is there twice."""
    count, ending = len(part.class_names) // part.turns, UPRIGHT if part.turns > 1 else ""
    names = [name.removesuffix(ending) for name in part.class_names[:count]]
    full = [f"{parent.removesuffix(ending)}/{name}" for parent, name in zip(part.parents, names, strict=False)]
    times = Counter(names)
    return tuple(names[c] if times[names[c]] == 1 else full[c] for c in range(count))


def _listed(parts: dict[str, Source], part: str, apart: str) -> list[int]:
    """The original classes of a part, or its values of the attribute that sets images apart."""
    own = [parts[name] for name in ((part, "base_heldout") if part == "base" else (part,)) if name in parts]
    rows = [source.attributes[apart] if apart else source.original_classes for source in own]
    return np.unique(np.concatenate(rows)).tolist() if rows else []


def _numbers(part: Source) -> list[int]:
    return np.unique(part.original_images).tolist()


def _lacking(
    parts: dict[str, Source], lists: dict[str, list[int]], apart: str, source: Source | None
) -> dict[str, list[int]]:
    """The numbers of the images of each part that does not surely hold all images of its classes."""
    some = next(iter(parts.values()))
    if source is None and sum(len(part) for part in parts.values()) == len(some.store):
        return {}
    lacking = {}
    for part in (name for name in LISTED if name in parts):
        heldout = _numbers(parts["base_heldout"]) if part == "base" and "base_heldout" in parts else []
        numbers = sorted([*_numbers(parts[part]), *heldout])
        if source is None or numbers != _all_images(source, lists[part], apart):
            lacking[part] = numbers
    return lacking


def _all_images(source: Source, ids: Sequence[int], apart: str) -> list[int]:
    rows = source.attributes[apart] if apart else source.original_classes
    return np.unique(source.original_images[np.isin(rows, ids)]).tolist()
