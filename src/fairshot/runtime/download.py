"""Official archives: fetched whole or not at all, checked against a sha256, continued where they stopped."""

import hashlib
import http.client
import os
import shutil
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from fairshot.runtime.archives import refuse_web_page
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.files import complete_file

BLOCK = 1 << 20
Progress = Callable[[int, int], None]
"""Called with the bytes that are here and the bytes there will be."""


@dataclass(frozen=True)
class Remote:
    """A file at its owner's address, with the size and sha256 it must have."""

    url: str
    size: int
    sha256: str

    @property
    def name(self) -> str:
        """The file's own name."""
        return self.url.rpartition("/")[2]


def fetch(remote: Remote, folder: Path, *, progress: Progress = lambda here, whole: None) -> Path:
    """The remote file, checked, in `folder`; an interrupted download goes on where it stopped."""
    target, partial = folder / remote.name, folder / f".{remote.name}.partial"
    if target.is_file() and sha256(target) == remote.sha256:
        return target
    folder.mkdir(parents=True, exist_ok=True)
    try:
        _receive(remote, partial, progress)
    except urllib.error.HTTPError as error:
        error.close()
        raise FairshotError(f"cannot fetch {remote.url} ({error.code} {error.reason}): it may have moved") from error
    except (urllib.error.URLError, http.client.HTTPException, TimeoutError, ConnectionError) as error:
        raise FairshotError(
            f"cannot fetch {remote.url} ({_reason(error)}): the same command continues later"
        ) from error
    try:
        refuse_web_page(partial, remote.url)
        _compare(remote, partial)
    except FairshotError:
        partial.unlink()
        raise
    os.replace(partial, target)
    return target


def accept(remotes: tuple[Remote, ...], file: Path, folder: Path) -> Path:
    """A copy in `folder` of a file that the user has already, if it is one of the official ones."""
    if not file.is_file():
        raise FairshotError(f"there is no file {file}: give one of {', '.join(remote.name for remote in remotes)}")
    refuse_web_page(file)
    digest = sha256(file)
    for remote in remotes:
        if digest == remote.sha256:
            with complete_file(folder / remote.name) as unfinished:
                shutil.copyfile(file, unfinished)
            return folder / remote.name
    raise FairshotError(
        f"{file} has sha256 {digest[:16]}..., which is none of the official archives' "
        f"({', '.join(remote.name for remote in remotes)}): fetch it again, "
        "or list its folder in FAIRSHOT_DATA to use it as it is"
    )


def sha256(path: Path) -> str:
    """The file's sha256 in hexadecimal."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _receive(remote: Remote, partial: Path, progress: Progress) -> None:
    here = partial.stat().st_size if partial.exists() else 0
    if here == remote.size:
        return
    here = 0 if here > remote.size else here
    request = urllib.request.Request(remote.url, headers={"Range": f"bytes={here}-"} if here else {})
    with urllib.request.urlopen(request, timeout=60) as response:
        resumed = response.status == 206
        here = here if resumed else 0
        with open(partial, "ab" if resumed else "wb") as file:
            while block := response.read(BLOCK):
                file.write(block)
                here += len(block)
                progress(here, remote.size)
        if response.length:  # announced by the server and never sent
            raise http.client.IncompleteRead(b"", response.length)


def _compare(remote: Remote, partial: Path) -> None:
    size, digest = partial.stat().st_size, sha256(partial)
    if (size, digest) != (remote.size, remote.sha256):
        raise FairshotError(
            f"{remote.url} gave {size} bytes with sha256 {digest[:16]}..., expected {remote.size} bytes with "
            f"{remote.sha256[:16]}...: it was not kept; the file has changed at its owner's or on its way"
        )


def _reason(error: Exception) -> str:
    return str(getattr(error, "reason", None) or error or type(error).__name__)
