"""Checksums of the files in a folder that was filled once: a byte that has changed since then is found.

To read gigabytes at every command would cost more than the command: a file is read again when its size, its time or
its place on the disk is another one than when it was last compared (`checksums.json` holds both).
"""

import hashlib
import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.files import complete_file

NOTES = "checksums.json"


class DamagedError(FairshotError):
    """A file has other content than when it was written."""


def note_checksums(folder: Path) -> None:
    """Writes down the checksum of every file in a folder."""
    _write(folder, {path.name: {"checksum": _checksum(path), "stamp": _stamp(path)} for path in _files(folder)})


def compare_checksums(folder: Path, *, all_bytes: bool = False) -> None:
    """Raises if a file is not as it was written; with `all_bytes` files are read, too, that seem to be untouched.

    Folders of earlier versions have no checksums, and get those of what they hold.
    """
    if not (folder / NOTES).exists():
        with suppress(FairshotError, OSError):  # a cache that may only be read
            note_checksums(folder)
        return
    try:
        notes = json.loads((folder / NOTES).read_text())
        changed = [name for name, note in notes.items() if all_bytes or note["stamp"] != _stamp(folder / name)]
        damaged = [name for name in changed if notes[name]["checksum"] != _checksum(folder / name)]
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise DamagedError(f"{folder} is not complete") from error
    if damaged:
        raise DamagedError(f"{folder / damaged[0]} is damaged, its content does not have its checksum")
    if changed:
        notes |= {name: {**notes[name], "stamp": _stamp(folder / name)} for name in changed}
        with suppress(FairshotError, OSError):
            _write(folder, notes)


def _write(folder: Path, notes: dict[str, Any]) -> None:
    with complete_file(folder / NOTES) as unfinished:
        unfinished.write_text(json.dumps(notes, indent=1) + "\n")


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.is_file() and path.name != NOTES)


def _stamp(path: Path) -> list[int]:
    status = os.stat(path)
    return [status.st_size, status.st_mtime_ns, status.st_ino]


def _checksum(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()
