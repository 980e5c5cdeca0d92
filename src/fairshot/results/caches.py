"""Caches: what lies below FAIRSHOT_CACHE, how large it is and when it was last used; and its removal."""

import json
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from fairshot.runtime.cache import cache_folder
from fairshot.runtime.errors import FairshotError, unknown
from fairshot.runtime.files import LOCK, alone, expand, scratch_file
from fairshot.tables.table import Cell, Table, plain_columns
from fairshot.tables.tabular import Tabular
from fairshot.tables.words import count_of

DAY, MEGABYTE = 24 * 3600.0, 1e6
LASTING = ("data", "studies")
"""What no command makes again by itself in a moment: archives that were fetched, and what studies have trained."""


@dataclass(frozen=True)
class Cached:
    """One folder of a cache."""

    path: Path
    kind: str
    size: int
    unused: float
    """Days since somebody read or wrote it."""


@dataclass(frozen=True, repr=False)
class Caches(Tabular):
    """All of them, the largest first."""

    folder: Path
    entries: tuple[Cached, ...]
    removed: bool = False

    def __iter__(self) -> Iterator[Cached]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def in_brief(self) -> str:
        """How many there are, and how large."""
        size = sum(entry.size for entry in self.entries) / MEGABYTE
        told = "removed from" if self.removed else "in"
        return f"{count_of(len(self.entries), 'folder')} of {size:,.1f} MB {told} {self.folder}"

    def summary(self) -> str:
        """The same as a sentence."""
        return f"{self.in_brief()}."

    def tables(self) -> list[Table]:
        """A line for each."""
        rows: list[list[Cell]] = [
            [str(one.path.relative_to(self.folder)), one.kind, f"{one.size / MEGABYTE:,.1f}", f"{one.unused:,.0f}"]
            for one in self.entries
        ]
        return [Table(columns=plain_columns("cache", "kind", "MB", "days unused"), rows=rows)] if rows else []

    def to_json(self, command: Sequence[str] = ()) -> str:
        """One JSON object."""
        listed = [{**asdict(one), "path": str(one.path)} for one in self.entries]
        return json.dumps({"command": list(command), "removed": self.removed, "caches": listed}, indent=1)

    def remove(self) -> "Caches":
        """Removes all of them; what another command reads at this moment it can read to its end."""
        for entry in self.entries:
            with alone(entry.path):
                if entry.path.is_dir():
                    with scratch_file(entry.path.parent, entry.path.name) as gone:
                        entry.path.rename(gone)
        return Caches(self.folder, self.entries, removed=True)


def find_caches(*, kinds: Sequence[str] = (), unused: float = 0.0, lasting: bool = True) -> Caches:
    """What lies in the cache, of some kinds, or unused for so many days; those that last only where they are wanted."""
    root = expand(cache_folder())
    there = sorted(entry.name for entry in os.scandir(root) if entry.is_dir()) if root.is_dir() else []
    for kind in kinds:
        if kind not in there:
            raise unknown("kind of cache", kind, there)
    if not 0 <= unused < float("inf"):
        raise FairshotError(f"unused for {unused:g} days makes no sense: give a number from 0 on")
    chosen = kinds or [kind for kind in there if lasting or kind not in LASTING]
    found = [_measured(path, kind) for kind in chosen for path in sorted((root / kind).iterdir()) if _is_whole(path)]
    wanted = [one for one in found if one.unused >= unused]
    return Caches(root, tuple(sorted(wanted, key=lambda one: (-one.size, str(one.path)))))


def clean_caches(*, kinds: Sequence[str] = (), unused: float = 0.0, dry_run: bool = False) -> Caches:
    """Removes what can be made again; with `dry_run` it only says what it would remove.

    Archives that were fetched and what studies trained stay, unless their kind is named.
    """
    found = find_caches(kinds=kinds, unused=unused, lasting=False)
    return found if dry_run else found.remove()


def _is_whole(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink() and not path.name.startswith((".", LOCK))


def _measured(path: Path, kind: str) -> Cached:
    size, last = 0, 0.0
    for folder, _, names in os.walk(path):
        for name in names:
            try:
                status = os.lstat(os.path.join(folder, name))
            except OSError:  # another command has removed it
                continue
            size, last = size + status.st_size, max(last, status.st_atime, status.st_mtime)
    return Cached(path, kind, size, max(0.0, time.time() - last) / DAY if last else 0.0)
