"""Where data sets lie: in the folders that FAIRSHOT_DATA lists, each under its own name."""

import os
from pathlib import Path

from fairshot.runtime.archives import ENDINGS
from fairshot.runtime.cache import cache_folder
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.files import files_below


def data_folders() -> list[Path]:
    """The folders to look in, first come first served; without FAIRSHOT_DATA the `data` folder of the cache."""
    listed = os.environ.get("FAIRSHOT_DATA", "")
    return [Path(folder) for folder in listed.split(os.pathsep) if folder] or [cache_folder() / "data"]


def find_data(dataset: str, *names: str) -> Path:
    """The first folder or archive of one of these names below DATA/dataset, packed or unpacked."""
    for folder in data_folders():
        for name in names:
            for candidate in (folder / dataset / name, *(folder / dataset / (name + ending) for ending in ENDINGS)):
                if candidate.exists():
                    return candidate
    where = ", ".join(str(folder / dataset) for folder in data_folders())
    raise FairshotError(
        f"{dataset} is not here: no {names[0]} in {where}; run 'fairshot data get {dataset}', or let FAIRSHOT_DATA "
        f"list the folder that holds {dataset}/"
    )


def stamp(path: Path) -> list[object]:
    """What tells whether a file or folder has changed: every file's name, size and time; dead links are no files."""
    files = files_below(path) if path.is_dir() else [path]
    states = [(str(file.relative_to(path.parent)), file.stat()) for file in files if file.exists()]
    return [[name, state.st_size, state.st_mtime_ns] for name, state in states]
