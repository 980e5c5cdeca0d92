"""A byte that changed in the cache is found, said and mended; what is as it was is not read again."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from fairshot.runtime import checksums
from fairshot.runtime.cache import arrays_once
from fairshot.runtime.checksums import NOTES, compare_checksums

NUMBERS = np.arange(10_000)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FAIRSHOT_CACHE", str(tmp_path))
    return tmp_path / "kind" / "key"


class Build:
    """Counts how often it was asked."""

    count = 0

    def __call__(self, folder: Path) -> None:
        self.count += 1
        np.save(folder / "numbers.npy", NUMBERS)

    def load(self) -> np.ndarray:
        return arrays_once("kind", "key", self, needed=["numbers"])["numbers"]


def damage(file: Path, place: int = -1) -> None:
    with open(file, "r+b") as opened:
        opened.seek(place, 2)
        byte = opened.read(1)[0]
        opened.seek(place, 2)
        opened.write(bytes([byte ^ 1]))


@pytest.mark.parametrize("place", [-1, -50_000])
def test_a_flipped_bit_is_found_and_said(place: int, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build = Build()
    build.load()
    damage(folder / "numbers.npy", place)
    np.testing.assert_array_equal(build.load(), NUMBERS)
    assert build.count == 2
    assert capsys.readouterr().err == (
        f"fairshot: {folder / 'numbers.npy'} is damaged, its content does not have its checksum: it is made anew\n"
    )


def test_what_nobody_touched_is_not_read_and_what_was_copied_is_read_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build = Build()
    build.load()
    read: list[str] = []
    checksum = checksums._checksum
    monkeypatch.setattr(checksums, "_checksum", lambda path: read.append(path.name) or checksum(path))
    build.load()
    assert read == []
    os.utime(folder / "numbers.npy")
    for _ in range(3):
        build.load()
    assert read == ["numbers.npy"]
    compare_checksums(folder, all_bytes=True)
    assert read == ["numbers.npy"] * 2
    assert build.count == 1


def test_a_cache_of_an_earlier_version_gets_checksums(folder: Path) -> None:
    build = Build()
    build.load()
    (folder / NOTES).unlink()
    build.load()
    assert build.count == 1
    damage(folder / "numbers.npy")
    np.testing.assert_array_equal(build.load(), NUMBERS)
    assert build.count == 2


@pytest.mark.parametrize("notes", ["", "[]", "{", '{"numbers.npy": 3}', '{"gone.npy": {"stamp": [], "checksum": ""}}'])
def test_damaged_notes_count_as_damage(notes: str, folder: Path) -> None:
    build = Build()
    build.load()
    (folder / NOTES).write_text(notes)
    np.testing.assert_array_equal(build.load(), NUMBERS)
    assert build.count == 2


def test_many_readers_of_a_damaged_cache_all_get_it_whole(folder: Path) -> None:
    build = Build()
    build.load()
    damage(folder / "numbers.npy")
    with ThreadPoolExecutor(8) as pool:
        for numbers in pool.map(lambda _: build.load(), range(8)):
            np.testing.assert_array_equal(numbers, NUMBERS)
    assert [path.name for path in folder.parent.iterdir()] == ["key"]
