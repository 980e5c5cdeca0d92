"""Published splits that list the names of classes, or of their parents."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from fairshot.runtime.errors import FairshotError
from fairshot.sources.source import Source
from fairshot.splits.split import Split, split_classes


@dataclass(frozen=True)
class Named:
    """What is val and what is novel, by name; all else is base."""

    val: tuple[str, ...]
    novel: tuple[str, ...]
    sizes: tuple[int, int, int]
    """Base, val and novel classes, as published."""
    recipe: str
    about: str
    by_parent: bool = False
    held_out: int | float = 0
    """Images of every base class that are not trained on, or their share; which ones is drawn by the seed."""
    seed: int = 0


def split_by_name(name: str, source: Source, published: Named) -> Split:
    """The split, if it has as many classes as published."""
    names = np.array(source.parents if published.by_parent else source.class_names)
    val, novel = np.isin(names, published.val), np.isin(names, published.novel)
    base, val_ids, novel_ids = (np.flatnonzero(mask) for mask in (~val & ~novel, val, novel))
    sizes = (len(base), len(val_ids), len(novel_ids))
    if sizes != published.sizes:
        raise FairshotError(f"{name}: {sizes} classes, published {published.sizes}")
    split = split_classes(name, source, base=base, val=val_ids, novel=novel_ids)
    return split.hold_out(published.held_out, seed=published.seed, name=split.name) if published.held_out else split


@dataclass(frozen=True)
class Listed:
    """Every class of a published split by name, so that a source that has only some of them can be split too."""

    parts: Mapping[str, tuple[str, ...]]
    """The names under base, val and novel; there must be as many as published, and none twice."""
    sizes: tuple[int, int, int]
    """Base, val and novel classes, as published."""
    recipe: str
    about: str

    def __post_init__(self) -> None:
        found = tuple(len(self.parts.get(part, ())) for part in ("base", "val", "novel"))
        different = len({name for names in self.parts.values() for name in names})
        if found != self.sizes or different != sum(self.sizes):
            raise FairshotError(f"a list has {found} classes, {different} of them different, published {self.sizes}")


def split_listed(name: str, source: Source, published: Listed) -> Split:
    """The split of the classes that are here; a note says how many; a class that nobody lists is refused."""
    listed = {one: part for part, names in published.parts.items() for one in names}
    strangers = [one for one in source.class_names if one not in listed]
    if strangers:
        raise FairshotError(
            f"{source.name}/{name} lists no class '{strangers[0]}', nor {len(strangers) - 1} others of "
            f"{len(source.class_names)}: choose another split, such as all-novel"
        )
    parts = np.array([listed[one] for one in source.class_names])
    base, val, novel = (np.flatnonzero(parts == part) for part in ("base", "val", "novel"))
    if len(parts) < len(listed):
        sizes = zip((base, val, novel), published.sizes, ("base", "val", "novel"), strict=True)
        here = ", ".join(f"{len(ids)} of {size} {part}" for ids, size, part in sizes if size)
        note = f"{len(parts)} of the {len(listed)} classes of {name} are here: {here}"
        source = replace(source, notes=(*source.notes, note))
    return split_classes(name, source, base=base, val=val, novel=novel)


def read_parts(file: Path) -> dict[str, tuple[str, ...]]:
    """Parts and the names of their classes, as they stand in a file.

    A line that is not indented names a part, the lines below it hold names with commas between them; lines that begin
    with # are comments.
    """
    parts: dict[str, str] = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith(" "):
            parts[list(parts)[-1]] += line
        elif not line.startswith("#"):
            parts[line] = ""
    return {part: tuple(filter(None, map(str.strip, names.split(",")))) for part, names in parts.items()}
