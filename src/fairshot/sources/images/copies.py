"""The copies of a data set: as its owner publishes it, or in another form that lacks something, which is then said."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from PIL import Image

from fairshot.runtime.archives import ENDINGS
from fairshot.runtime.data import data_folders, stamp
from fairshot.runtime.errors import FairshotError, unknown
from fairshot.sources.source import Source
from fairshot.sources.store import load_once

FORMAT = 2  # raised when the same files give other images, or say more of them


class Convertible(Protocol):
    """Images that are not decoded yet; see Collection."""

    def __len__(self) -> int: ...

    @property
    def classes(self) -> tuple[str, ...]:
        """The names of the classes."""

    def convert(self, folder: Path, size: int | None) -> Source:
        """All images, decoded into a file in the folder."""

    def examples(self, count: int) -> list[Image.Image]:
        """One image of each of so many classes; no others are decoded."""


Collect = Callable[..., AbstractContextManager[Convertible]]


@dataclass(frozen=True)
class Copy:
    """One form of a data set: where it lies below a data folder, and how it is read."""

    places: tuple[tuple[str, ...], ...]
    """Each thing that it needs, a file or a folder, by the names it may have; archives may be unpacked."""
    collect: Collect
    lacks: str = ""
    """What it is and what it lacks against the published one; nothing where it is the published one."""
    optional: tuple[str, ...] = ()
    """Files that are read, too, where they are there."""

    def find(self) -> list[Path] | None:
        """Where all that it needs lies, if it is here."""
        found = [_find_one(names) for names in self.places]
        return [path for path in found if path] if all(found) else None


Copies = Mapping[str, Copy]


def _find_one(names: tuple[str, ...]) -> Path | None:
    candidates = (folder / (name + ending) for folder in data_folders() for name in names for ending in ("", *ENDINGS))
    return next((path for path in candidates if path.exists()), None)


def load_copy(name: str, copies: Copies, copy: str, size: int | None, how: object = None) -> Source:
    """The copy of that name, or without a name the first published one that is here; `how` tells settings apart.

    Where no published one can be read, the name stands for the only copy that can.
    """
    copy = copy if copy or len(copies) > 1 else next(iter(copies))
    chosen, places = find_copy(name, copies, copy)
    full = name if not chosen.lacks else f"{name}:copy={copy}"

    def build(folder: Path) -> Source:
        with chosen.collect(*places) as collection:
            return collection.convert(folder, size)

    more = [path for name in chosen.optional if (path := _find_one((name,)))]
    source = load_once(full, [FORMAT, chosen.lacks, size, how, *map(stamp, [*places, *more])], build)
    return replace(source, notes=(chosen.lacks,)) if chosen.lacks else source


def find_copy(name: str, copies: Copies, copy: str) -> tuple[Copy, list[Path]]:
    """A copy and where it lies; one that is not here raises, with the ones that are."""
    if copy and copy not in copies:
        raise unknown(f"copy of {name}", copy, copies)
    wanted = [copies[copy]] if copy else [one for one in copies.values() if not one.lacks]
    for one in wanted:
        if places := one.find():
            return one, places
    here = [f"{name}:copy={other}" for other, one in copies.items() if one.lacks and one.find()]
    missing = next(names[0] for names in wanted[0].places if not _find_one(names))
    where = ", ".join(str(folder / missing) for folder in data_folders())
    others = f"; what is here is {' and '.join(here)}" if here else ""
    raise FairshotError(
        f"{name}{f':copy={copy}' if copy else ''} is not here: no {where}; put it there, or let FAIRSHOT_DATA list the "
        f"folder that holds {missing}{others}"
    )
