"""The copy of Meta-Dataset that people pass on as one HDF5 file a class, with dataset_spec.json beside them.

NUMBER.h5 holds a group for each image, named 0, 1, 2 and so on, with the pixels in `image` (height, width, colour) and
the class in `label` (Hu et al. 2022). HDF5 has no checksums unless they were asked for: `fairshot data import` notes
those of the files, and they are looked at whenever the files are read.
"""

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.progress import Progress
from fairshot.sources.images.collection import Collection, open_picture
from fairshot.sources.images.dataset_spec import DatasetSpec, read_spec

CHECKSUMS = "checksums.json"


def hdf5_classes(name: str) -> Callable[[Path], AbstractContextManager[Collection]]:
    """A reader of a folder of such files."""

    @contextmanager
    def collect(folder: Path) -> Iterator[Collection]:
        spec = read_spec(folder, "h5")
        check_files(folder)
        counts = {number: _count(spec, number) for number in spec.files}
        rows = [(number, row) for number, count in counts.items() for row in range(count)]
        opened: dict[int, Any] = {}

        def open_row(place: int) -> Image.Image:
            number, row = rows[place]
            if number not in opened:  # images come one class after the other
                _close(opened)
                opened[number] = _open(spec.files[number])
            return _picture(spec.files[number], opened[number], row)

        try:
            yield Collection(
                name,
                [f"{number}/{row}" for number, row in rows],
                [spec.class_names[number] for number, _ in rows],
                open_row,
            )
        finally:
            _close(opened)

    return collect


def checksums(folder: Path) -> dict[str, str]:
    """The hash of every class's file."""
    found = {}
    files = sorted(folder.glob("*.h5"))
    progress = Progress(f"checking {folder.name}", len(files), "files")
    for done, file in enumerate(files, 1):
        with open(file, "rb") as source:
            found[file.name] = hashlib.file_digest(source, "sha256").hexdigest()
        progress(done)
    return found


def check_files(folder: Path) -> None:
    """Raises where a file has changed since it was imported; without a list of hashes nothing can be told."""
    noted = folder / CHECKSUMS
    if not noted.exists():
        return
    expected = json.loads(noted.read_text())
    for name, found in checksums(folder).items():
        if expected.get(name) != found:
            raise FairshotError(
                f"{folder / name} is damaged: it was another file when it was imported; import it again"
            )


def _open(file: Path) -> Any:
    try:
        import h5py
    except ImportError as error:
        raise FairshotError(f"{file.name} needs h5py: pip install 'fairshot[hdf5]'") from error
    try:
        return h5py.File(file, "r")
    except OSError as error:
        raise FairshotError(f"{file} is no complete HDF5 file: copy it again") from error


def _close(opened: dict[int, Any]) -> None:
    for file in opened.values():
        file.close()
    opened.clear()


def _count(spec: DatasetSpec, number: int) -> int:
    """How many images a class has, if they are numbered through and have its label."""
    file = spec.files[number]
    with _open(file) as groups:
        count = len(groups)
        spec.check_count(number, count)
        if count and (str(count - 1) not in groups or "image" not in groups["0"]):
            raise FairshotError(f"{file} has no groups 0 to {count - 1} with an image each: it is of another form")
        labels = {int(groups[str(row)]["label"][()]) for row in range(count) if "label" in groups[str(row)]}
    if labels - {number}:
        raise FairshotError(f"{file} has images of class {min(labels - {number})}: it is another class's file")
    return count


def _picture(file: Path, groups: Any, row: int) -> Image.Image:
    try:
        values = np.asarray(groups[str(row)]["image"][()])
    except (OSError, KeyError) as error:
        raise FairshotError(f"{file} is damaged in its image {row}: copy it again") from error
    return open_picture(values.tobytes()) if values.ndim == 1 else Image.fromarray(values)
