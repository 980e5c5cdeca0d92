"""One way to read files out of a zip, a tar or a plain folder, which never writes and never follows a climbing name."""

import gzip
import shutil
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from fairshot.runtime.cache import cache_folder
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.files import scratch_file
from fairshot.runtime.visible_text import readable

ENDINGS = (".zip", ".tar", ".tar.gz", ".tgz")
LARGEST = 1 << 30  # bytes of an entry that is read at once; one that is larger is no picture, and fills the memory
LARGE = 1 << 26  # bytes of a compressed tar that is decompressed once: to go back in it is to begin anew
Read = Callable[[str], bytes]


@contextmanager
def open_archive(path: Path) -> Iterator[tuple[list[str], Read]]:
    """Yields the names of the files inside, sorted, and a function that reads one of them."""
    if path.is_dir():
        files = [file for file in path.rglob("*") if file.is_file()]
        sizes = {file.relative_to(path).as_posix(): file.stat().st_size for file in files}
        yield _listed(path, sizes, lambda name: (path / name).read_bytes())
        return
    refuse_web_page(path)
    try:
        with zipfile.ZipFile(path) if path.suffix == ".zip" else _open_tar(path) as archive:
            if isinstance(archive, zipfile.ZipFile):
                sizes = {entry.filename: entry.file_size for entry in archive.infolist() if not entry.is_dir()}
            else:
                sizes = {entry.name: entry.size for entry in archive.getmembers() if entry.isfile()}
            refuse_climbing(path, list(sizes))
            yield _listed(path, sizes, archive.read if isinstance(archive, zipfile.ZipFile) else _tar_reader(archive))
    except (zipfile.BadZipFile, tarfile.TarError, gzip.BadGzipFile, zlib.error, EOFError) as error:
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise FairshotError(f"{path} is not a complete archive ({reason}): fetch it again") from error


def refuse_web_page(path: Path, name: str = "") -> None:
    """Raises if the file is an HTML page, which is what a dead download link or a log-in wall delivers."""
    with open(path, "rb") as file:
        start = file.read(512).lstrip().lower()
    if start.startswith((b"<!doctype", b"<html", b"<?xml")):
        raise FairshotError(
            f"{name or path} is a web page, not an archive: the address it came from no longer serves the data"
        )


def refuse_climbing(path: Path, names: list[str]) -> None:
    """Raises if a name inside an archive points out of the folder the archive would be unpacked into."""
    for name in names:
        pure = PurePosixPath(name.replace("\\", "/"))
        if not pure.parts or pure.is_absolute() or ".." in pure.parts or ":" in pure.parts[0]:
            raise FairshotError(
                f"{path} holds an entry that climbs out of its folder ('{name}'): do not use this archive"
            )


def read_only_file(path: Path, ending: str) -> bytes:
    """The content of the one file below a folder or in an archive whose name has this ending; a file is itself that."""
    if path.is_file() and not path.name.endswith(ENDINGS):
        return path.read_bytes()
    with open_archive(path) as (members, read):
        found = [member for member in members if f"/{member}".endswith(f"/{ending}")]
        if len(found) != 1:
            raise FairshotError(f"{path} holds {len(found) or 'no'} {ending}: it must hold one")
        return read(found[0])


@contextmanager
def _open_tar(path: Path) -> Iterator[tarfile.TarFile]:
    if path.suffix == ".tar" or path.stat().st_size < LARGE:
        with tarfile.open(path) as archive:
            yield archive
        return
    with scratch_file(cache_folder(), f"{path.name}.tar") as plain:
        try:
            with gzip.open(path) as packed, open(plain, "wb") as target:
                shutil.copyfileobj(packed, target, 1 << 20)
        except OSError as error:
            if isinstance(error, gzip.BadGzipFile):
                raise
            raise FairshotError(
                f"cannot decompress {path} in {cache_folder()} ({error.strerror}): make room, or let FAIRSHOT_CACHE "
                "name a folder on a larger disk"
            ) from error
        with tarfile.open(plain) as archive:
            yield archive


def _listed(path: Path, sizes: dict[str, int], read: Read) -> tuple[list[str], Read]:
    """Names that can be written anywhere, and a function that reads one of them, unless it would fill the memory."""
    names = {readable(name): name for name in sizes}

    def read_entry(shown: str) -> bytes:
        name = names[shown]
        if sizes[name] > LARGEST:
            raise FairshotError(
                f"{path} holds {shown} with {sizes[name]:,} bytes, and at most {LARGEST:,} are read at once: remove it"
            )
        try:
            return read(name)
        except (RuntimeError, NotImplementedError) as error:  # encrypted, or packed in a way that is not known here
            raise FairshotError(f"{path}: cannot unpack {shown} ({error}): pack the archive anew") from error

    return sorted(names), read_entry


def _tar_reader(archive: tarfile.TarFile) -> Read:
    def read(name: str) -> bytes:
        member = archive.extractfile(name)
        assert member is not None  # only regular files are listed
        return member.read()

    return read
