import errno
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from fairshot.runtime.cache import cache_folder
from fairshot.runtime.checksums import note_checksums
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.files import JOURNAL
from fairshot.sources import image_file
from fairshot.sources.image_file import HASHES, IMAGES, check_images, write_images
from fairshot.sources.source import Source
from fairshot.sources.store import load_once
from tests.paths import ROOT

PIXELS = np.random.default_rng(0).integers(0, 256, (10, 3, 4, 5), dtype=np.uint8)


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(image_file, "PART", 3 * 60)  # three images
    monkeypatch.setenv("FAIRSHOT_CACHE", str(tmp_path / "cache"))


def write(folder: Path, *, until: int = 10, plan: str = "plan") -> list[int]:
    """Writes the images, or dies when image `until` is asked for; where each part that was read began."""
    starts = []

    def read(start: int, stop: int) -> np.ndarray:
        if stop > until:
            raise KeyboardInterrupt
        starts.append(start)
        return PIXELS[start:stop]

    assert (write_images(folder, PIXELS.shape, read, plan=plan, what="toy") == PIXELS).all()
    return starts


def test_the_file_is_a_plain_numpy_file_with_hashes_beside(tmp_path: Path) -> None:
    assert write(tmp_path) == [0, 3, 6, 9]
    assert (np.load(tmp_path / IMAGES) == PIXELS).all()
    assert sorted(path.name for path in tmp_path.glob("*.*")) == [HASHES, IMAGES]
    assert check_images(tmp_path / IMAGES) == 10


def test_what_was_written_before_a_kill_is_not_written_again(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        write(tmp_path, until=7)
    assert len((tmp_path / JOURNAL).read_text().splitlines()) == 3
    assert write(tmp_path) == [6, 9]
    assert check_images(tmp_path / IMAGES) == 10


def test_what_was_written_and_damaged_since_is_written_again(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        write(tmp_path, until=9)
    data = bytearray((tmp_path / IMAGES).read_bytes())
    data[128 + 4 * 60] ^= 1
    (tmp_path / IMAGES).write_bytes(data)
    assert write(tmp_path) == [3, 9]


def test_a_line_that_was_cut_off_counts_for_nothing(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        write(tmp_path, until=9)
    journal = tmp_path / JOURNAL
    journal.write_text(journal.read_text()[:-10])
    assert write(tmp_path) == [6, 9]


def test_another_plan_begins_anew(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        write(tmp_path, until=9)
    assert write(tmp_path, plan="other") == [0, 3, 6, 9]


@pytest.mark.parametrize(("place", "rows"), [(0, "0 to 2"), (59, "0 to 2"), (3 * 60, "3 to 5"), (-1, "9 to 9")])
def test_a_flipped_bit_is_found_and_said(place: int, rows: str, tmp_path: Path) -> None:
    write(tmp_path)
    data = bytearray((tmp_path / IMAGES).read_bytes())
    data[place if place < 0 else 128 + place] ^= 4
    (tmp_path / IMAGES).write_bytes(data)
    with pytest.raises(FairshotError) as caught:
        check_images(tmp_path / IMAGES)
    assert str(caught.value) == (
        f"{tmp_path / IMAGES} is damaged in its images {rows}: delete {tmp_path}, and it is made anew"
    )


def full(handle: int, start: int, size: int) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_is_one_line_before_anything_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "posix_fallocate", full)

    def read(start: int, stop: int) -> np.ndarray:
        raise AssertionError("nothing is read when there is no room")

    def build(folder: Path) -> Source:
        store = write_images(folder, PIXELS.shape, read, plan="plan", what="toy")
        return Source.create("toy", store, np.zeros(10, dtype=np.int64), class_names=("a",))

    with pytest.raises(FairshotError) as caught:
        load_once("toy", 1, build)
    assert str(caught.value) == (
        f"no room for toy in {cache_folder() / 'sources'} (No space left on device): 10 images need 600 bytes; make "
        "room, or let FAIRSHOT_CACHE name a folder on a larger disk"
    )
    assert list((cache_folder() / "sources").iterdir()) == []


def test_the_room_is_taken_before_anything_is_written(tmp_path: Path) -> None:
    sizes = []

    def read(start: int, stop: int) -> np.ndarray:
        sizes.append((tmp_path / IMAGES).stat().st_size)
        return PIXELS[start:stop]

    write_images(tmp_path, PIXELS.shape, read, plan="plan", what="toy")
    assert sizes == [728] * 4  # 128 bytes of header and 10 images of 60


def build_toy(begin: Callable[[int], None]) -> Source:
    def read(start: int, stop: int) -> np.ndarray:
        begin(start)
        return PIXELS[start:stop]

    def build(folder: Path) -> Source:
        store = write_images(folder, PIXELS.shape, read, plan="plan", what="toy")
        return Source.create("toy", store, np.arange(10) % 2, class_names=("a", "b"))

    return load_once("toy", 1, build)


SCRIPT = """
import sys, time
from fairshot.sources import image_file
image_file.PART = 3 * 60
from tests.sources.test_image_file import build_toy
def begin(start):
    if start >= 6:
        print("here", flush=True)
        time.sleep(60)
build_toy(begin)
"""


def test_a_killed_process_is_taken_up_by_the_next(tmp_path: Path) -> None:
    process = subprocess.Popen([sys.executable, "-c", SCRIPT], stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert process.stdout is not None
    assert process.stdout.readline() == "here\n"
    process.send_signal(signal.SIGKILL)
    process.communicate()
    starts: list[int] = []
    source = build_toy(starts.append)
    assert starts == [6, 9]
    assert (source.store == PIXELS).all()
    assert [path.name for path in (cache_folder() / "sources").iterdir()] == [Path(source.store.filename).parent.name]


def test_of_two_processes_one_writes_and_the_other_waits(tmp_path: Path) -> None:
    quick = SCRIPT.replace("time.sleep(60)", "time.sleep(0.5)")
    process = subprocess.Popen([sys.executable, "-c", quick], stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert process.stdout is not None
    assert process.stdout.readline() == "here\n"
    starts: list[int] = []
    began = time.monotonic()
    assert (build_toy(starts.append).store == PIXELS).all()
    assert starts == []
    assert time.monotonic() - began > 0.2
    process.communicate()


def test_a_small_store_that_was_written_at_once_is_compared_as_a_whole(tmp_path: Path) -> None:
    np.save(tmp_path / IMAGES, PIXELS)
    note_checksums(tmp_path)
    assert check_images(tmp_path / IMAGES) == 10
    (tmp_path / IMAGES).write_bytes((tmp_path / IMAGES).read_bytes()[:-1] + b"?")
    with pytest.raises(FairshotError, match=r"images.npy is damaged, its content does not have its checksum$"):
        check_images(tmp_path / IMAGES)
