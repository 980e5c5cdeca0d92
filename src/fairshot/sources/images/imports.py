"""Data that the user has already, brought to where a source looks for it: checked, whole or not at all."""

import gzip
import json
import os
import shutil
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path

from fairshot.runtime.archives import ENDINGS, refuse_web_page
from fairshot.runtime.data import data_folders
from fairshot.runtime.errors import FairshotError, alternatives
from fairshot.runtime.files import complete_file, complete_folder
from fairshot.sources.images.copies import Copies, Copy
from fairshot.sources.images.hdf5_classes import CHECKSUMS, checksums

SHARED = {"records": "*.tfrecords", "hdf5": "*.h5"}  # folders of classes that Meta-Dataset's programme or others made
BITMAPS = ".npy"  # files that belong into a folder of their own


def import_copy(name: str, copies: Copies, files: Sequence[Path], *, link: bool = False) -> list[Path]:
    """Copies or links files and folders into the first data folder, and reads them there; what fails is taken away."""
    targets = [_target(name, copies["official"], file) for file in files]
    taken = [target for target in targets if os.path.lexists(target)]
    if taken:
        raise FairshotError(f"{taken[0]} is there already: delete it first, if another one shall take its place")
    done: list[Path] = []
    try:
        for file, target in zip(files, targets, strict=True):
            check_archive(file)
            (_link if link else _copy)(file.absolute(), target)
            done.append(target)
        for copy in copies.values():
            if (
                not copy.lacks
                and (places := copy.find())
                and set(places) & {*targets, *(one.parent for one in targets)}
            ):
                with copy.collect(*places):  # what cannot be read says so
                    pass
    except BaseException:
        for target in done:
            _remove(target)
        raise
    return targets


def _target(name: str, official: Copy, file: Path) -> Path:
    """Where something belongs, judged by its name, or a folder by what it holds."""
    home = data_folders()[0]
    if not file.exists():
        raise FairshotError(f"there is no {file}: give {_wanted(official)}")
    for copy, pattern in SHARED.items():
        if file.is_dir() and any(file.glob(pattern)):
            return home / name / copy
    bare = next((file.name.removesuffix(end) for end in sorted(ENDINGS, key=len) if file.name.endswith(end)), file.name)
    for place in (*(place for names in official.places for place in names), *official.optional):
        if bare == Path(place).name or file.name == Path(place).name:
            return home / Path(place).parent / file.name
    if file.suffix == BITMAPS and official.places[0][0].endswith("numpy_bitmap"):
        return home / official.places[0][0] / file.name
    raise FairshotError(f"{file} is not named like a file of {name}: give {_wanted(official)}")


def _wanted(official: Copy) -> str:
    names = [alternatives([Path(place).name for place in places]) for places in official.places]
    shared = "a folder of Meta-Dataset's records or of one HDF5 file a class"
    return f"{' and '.join(names)}, packed or unpacked, or {shared}"


def check_archive(file: Path) -> None:
    """Reads a packed file to its end, as its checksums are those of the whole; one that is damaged raises."""
    if file.is_dir():
        return
    refuse_web_page(file)
    try:
        if file.suffix == ".zip":
            _check_zip(file)
        elif file.suffix in (".gz", ".tgz"):
            _check_gzip(file)
    except (zipfile.BadZipFile, gzip.BadGzipFile, zlib.error, EOFError) as error:
        raise FairshotError(f"{file} is damaged ({error}): fetch it again") from error


def _check_zip(file: Path) -> None:
    with zipfile.ZipFile(file) as archive:
        if bad := archive.testzip():
            raise zipfile.BadZipFile(f"{bad} does not have its checksum")


def _check_gzip(file: Path) -> None:
    with gzip.open(file) as packed:
        while packed.read(1 << 20):
            pass


def _copy(file: Path, target: Path) -> None:
    if not file.is_dir():
        with complete_file(target) as unfinished:
            shutil.copyfile(file, unfinished)
        return
    with complete_folder(target) as unfinished:
        shutil.copytree(file, unfinished, dirs_exist_ok=True)
        if target.name == "hdf5":  # HDF5 has no checksums of its own
            (unfinished / CHECKSUMS).write_text(json.dumps(checksums(unfinished)))


def _link(file: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.symlink_to(file, target_is_directory=file.is_dir())


def _remove(target: Path) -> None:
    if target.is_dir() and not target.is_symlink():
        shutil.rmtree(target)
    else:
        target.unlink()
