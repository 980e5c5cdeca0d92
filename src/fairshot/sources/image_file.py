"""Images written once into one file that may be larger than memory.

The file is allocated before anything is written, and written in parts whose hashes are noted one by one: after a kill
the parts that are there and have their hash are not written again. The hashes stay beside the file, to check it by.
"""

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np
from jaxtyping import UInt8

from fairshot.runtime.checksums import compare_checksums
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.files import JOURNAL, disk_is_full, take_room
from fairshot.runtime.progress import Progress

IMAGES, HASHES = "images.npy", "hashes.npy"
PART = 1 << 24  # bytes of images that are written and hashed at a time

Shape = tuple[int, int, int, int]
Read = Callable[[int, int], UInt8[np.ndarray, "image channel height width"]]


def write_images(
    folder: Path, shape: Shape, read: Read, *, plan: str, what: str
) -> UInt8[np.ndarray, "image channel height width"]:
    """The images that `read(start, stop)` gives, as a memory map of images.npy in the folder.

    `plan` names what is read: what was written by another plan is written anew.
    """
    progress, file = Progress(f"converting {what}", shape[0], "images"), folder / IMAGES
    known = _known(folder, plan)
    try:
        with open(file, "r+b" if known and file.exists() else "w+b") as target, open(folder / JOURNAL, "a") as journal:
            begin = _allocate(target, shape)
            hashes = []
            for number, (start, stop) in enumerate(_parts(shape)):
                size, place = (stop - start) * _bytes(shape), begin + start * _bytes(shape)
                if number >= len(known) or _hash(_read(target, place, size)) != known[number]:
                    data = np.ascontiguousarray(read(start, stop)).tobytes()
                    assert len(data) == size, "as many images as were asked for"
                    _write(target, place, data)
                    hashes.append(_hash(data))
                    if number >= len(known):
                        print(hashes[-1], file=journal, flush=True)
                else:
                    hashes.append(known[number])
                progress(stop)
    except OSError as error:
        if not disk_is_full(error):
            raise
        raise FairshotError(
            f"no room for {what} in {folder.parent} ({error.strerror}): {shape[0]:,} images need "
            f"{shape[0] * _bytes(shape):,} bytes; make room, or let FAIRSHOT_CACHE name a folder on a larger disk"
        ) from error
    np.save(folder / HASHES, np.array(hashes))
    (folder / JOURNAL).unlink()
    return np.load(file, mmap_mode="r")


def check_images(file: Path) -> int:
    """How many images of a file were compared with the hashes that were noted when it was written; none may differ."""
    table = file.with_name(HASHES)
    if not table.exists():  # it is small, and was written at once
        compare_checksums(file.parent, all_bytes=True)
        return len(np.load(file, mmap_mode="r"))
    images, hashes = np.load(file, mmap_mode="r"), np.load(table)
    progress = Progress(f"checking {file.parent.name}", len(images), "images")
    with open(file, "rb") as source:
        for expected, (start, stop) in zip(hashes, _parts(images.shape), strict=True):
            size = _bytes(images.shape)
            if _hash(_read(source, images.offset + start * size, (stop - start) * size)) != expected:
                raise FairshotError(
                    f"{file} is damaged in its images {start:,} to {stop - 1:,}: delete {file.parent}, and it is made "
                    "anew"
                )
            progress(stop)
    return len(images)


def _known(folder: Path, plan: str) -> list[str]:
    """The hashes of the parts that an earlier attempt has written; the journal is begun anew for another plan."""
    journal = folder / JOURNAL
    lines = journal.read_text().splitlines() if journal.exists() else []
    if lines[:1] == [plan]:
        whole = [line for line in lines[1:] if len(line) == len(_hash(b""))]
        journal.write_text("\n".join([plan, *whole, ""]))
        return whole
    journal.write_text(f"{plan}\n")
    return []


def _allocate(target: BinaryIO, shape: Shape) -> int:
    """Takes the whole room on the disk, or raises while nothing depends on it; where the images begin."""
    target.seek(0)
    np.lib.format.write_array_header_1_0(target, {"descr": "|u1", "fortran_order": False, "shape": shape})
    target.flush()
    begin, size = target.tell(), shape[0] * _bytes(shape)
    take_room(target.fileno(), begin + size)
    return begin


def _parts(shape: Shape) -> Iterator[tuple[int, int]]:
    rows = max(1, PART // _bytes(shape))
    return ((start, min(start + rows, shape[0])) for start in range(0, shape[0], rows))


def _bytes(shape: Shape) -> int:
    return int(np.prod(shape[1:]))


def _hash(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def _read(file: BinaryIO, place: int, size: int) -> bytes:
    file.seek(place)
    return file.read(size)


def _write(file: BinaryIO, place: int, data: bytes) -> None:
    file.seek(place)
    file.write(data)
    file.flush()
