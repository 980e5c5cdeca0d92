"""Work that is done once and kept below FAIRSHOT_CACHE, as plain files that can be deleted at any time."""

import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from fairshot.runtime.files import complete_folder, fill_folder


def cache_folder() -> Path:
    """Where caches live: FAIRSHOT_CACHE, or the user's cache folder."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(os.environ.get("FAIRSHOT_CACHE") or Path(home) / "fairshot")


def build_once(kind: str, key: str, build: Callable[[Path], None], *, resume: bool = False) -> Path:
    """The folder that `build` fills; the second call with the same key finds it.

    With `resume`, a build that was killed gets its folder again as it left it.
    """
    folder = cache_folder() / kind / key
    if folder.is_dir():
        return folder
    if resume:
        fill_folder(folder, build)
    else:
        with complete_folder(folder) as unfinished:
            build(unfinished)
    return folder


def arrays_once(
    kind: str, key: str, build: Callable[[Path], None], *, needed: Sequence[str] = (), resume: bool = False
) -> Mapping[str, np.ndarray]:
    """The arrays that `build` leaves as .npy files, memory-mapped; a damaged cache is made anew."""
    folder = build_once(kind, key, build, resume=resume)
    try:
        return _open_arrays(folder, needed)
    except (OSError, ValueError, EOFError, KeyError):
        shutil.rmtree(folder)
        return _open_arrays(build_once(kind, key, build, resume=resume), needed)


def _open_arrays(folder: Path, needed: Sequence[str]) -> dict[str, np.ndarray]:
    files = sorted(folder.glob("*.npy"))
    arrays = {path.stem: np.load(path, mmap_mode="r", allow_pickle=False) for path in files}
    return {name: arrays[name] for name in (*needed, *arrays)}
