"""Work that is done once and kept below FAIRSHOT_CACHE, as plain files that can be deleted at any time."""

import math
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from fairshot.runtime.checksums import DamagedError, compare_checksums, note_checksums
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.files import alone, complete_folder, fill_folder, scratch_file, sweep, take_room
from fairshot.runtime.progress import say

GIGABYTE = 1e9
UNREADABLE = (DamagedError, OSError, ValueError, EOFError, KeyError)


def cache_folder() -> Path:
    """Where caches live: FAIRSHOT_CACHE, or the user's cache folder."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(os.environ.get("FAIRSHOT_CACHE") or Path(home) / "fairshot")


def build_once(kind: str, key: str, build: Callable[[Path], None], *, resume: bool = False) -> Path:
    """The folder that `build` fills; the second call with the same key finds it.

    With `resume`, a build that was killed gets its folder again as it left it.
    """
    folder = cache_folder() / kind / key
    sweep(folder.parent)
    if folder.is_dir():
        return folder
    if resume:
        fill_folder(folder, lambda unfinished: _fill(unfinished, build))
    else:
        with complete_folder(folder) as unfinished:
            _fill(unfinished, build)
    return folder


def _fill(folder: Path, build: Callable[[Path], None]) -> None:
    build(folder)
    note_checksums(folder)


def arrays_once(
    kind: str, key: str, build: Callable[[Path], None], *, needed: Sequence[str] = (), resume: bool = False
) -> Mapping[str, np.ndarray]:
    """The arrays that `build` leaves as .npy files, memory-mapped; a damaged cache is made anew, and that is said."""
    folder = build_once(kind, key, build, resume=resume)
    try:
        return _open_arrays(folder, needed)
    except UNREADABLE:
        _discard(folder, needed)
        return _open_arrays(build_once(kind, key, build, resume=resume), needed)


def _discard(folder: Path, needed: Sequence[str]) -> None:
    """Removes a damaged folder, unless another process has done so by now."""
    with alone(folder):
        try:
            _open_arrays(folder, needed)
        except UNREADABLE as error:
            if folder.is_dir():
                reason = str(error) if isinstance(error, DamagedError) else f"{folder} is not readable"
                say(f"{reason}: it is made anew")
                with scratch_file(folder.parent, folder.name) as gone:
                    folder.rename(gone)


def new_images(folder: Path, shape: Sequence[int], what: str) -> np.memmap:
    """A file of images to be filled, in a folder of the cache; refused where the disk has no room for it.

    The room is taken at once: writing past the end of the disk through a memory map would kill the process without a
    word.
    """
    need, free = math.prod(shape), shutil.disk_usage(folder).free
    if need > free:
        raise FairshotError(
            f"{shape[0]} {what} need {need / GIGABYTE:.1f} GB, {cache_folder()} has {free / GIGABYTE:.1f} GB free: "
            "ask for less, or set FAIRSHOT_CACHE to a bigger disk"
        )
    file = folder / "images.npy"
    images = np.lib.format.open_memmap(file, mode="w+", dtype=np.uint8, shape=tuple(shape))
    with open(file, "r+b") as opened:
        take_room(opened.fileno(), file.stat().st_size)
    return images


def _open_arrays(folder: Path, needed: Sequence[str]) -> dict[str, np.ndarray]:
    compare_checksums(folder)
    files = sorted(path for path in folder.iterdir() if path.suffix == ".npy")
    arrays = {path.stem: np.load(path, mmap_mode="r", allow_pickle=False) for path in files}
    return {name: arrays[name] for name in (*needed, *arrays)}
