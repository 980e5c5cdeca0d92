from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from fairshot.runtime.cache import arrays_once, build_once, cache_folder

Build = Callable[[Path], None]


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FAIRSHOT_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def counted(calls: list[Path]) -> Build:
    def build(folder: Path) -> None:
        calls.append(folder)
        np.save(folder / "numbers.npy", np.arange(1000))
        np.save(folder / "words.npy", np.array(["a", "bc"]))

    return build


def test_the_cache_is_where_fairshot_cache_says(own_cache: Path) -> None:
    assert cache_folder() == own_cache


def test_without_fairshot_cache_it_is_in_the_users_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("FAIRSHOT_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_folder() == tmp_path / "xdg" / "fairshot"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert cache_folder() == tmp_path / "home" / ".cache" / "fairshot"


def test_a_folder_is_built_once(own_cache: Path) -> None:
    calls: list[Path] = []
    first = build_once("kind", "key", counted(calls))
    assert build_once("kind", "key", counted(calls)) == first == own_cache / "kind" / "key"
    assert len(calls) == 1


def test_other_keys_and_kinds_are_built_for_themselves() -> None:
    calls: list[Path] = []
    folders = {build_once(kind, key, counted(calls)) for kind in ("a", "b") for key in ("c", "d")}
    assert len(folders) == len(calls) == 4


def test_a_build_that_fails_leaves_nothing_and_is_tried_again(own_cache: Path) -> None:
    def fail(folder: Path) -> None:
        (folder / "half").touch()
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        build_once("kind", "key", fail)
    assert list((own_cache / "kind").iterdir()) == []
    calls: list[Path] = []
    build_once("kind", "key", counted(calls))
    assert len(calls) == 1


def test_arrays_come_back_memory_mapped_and_read_only() -> None:
    calls: list[Path] = []
    for _ in range(2):
        arrays = arrays_once("kind", "key", counted(calls))
        assert sorted(arrays) == ["numbers", "words"]
        assert isinstance(arrays["numbers"], np.memmap)
        assert not arrays["numbers"].flags.writeable
        assert arrays["numbers"].tolist() == list(range(1000))
        assert arrays["words"].tolist() == ["a", "bc"]
    assert len(calls) == 1


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda data: data[:-100], id="cut short"),
        pytest.param(lambda data: data[:7], id="cut inside the header"),
        pytest.param(lambda data: b"", id="empty"),
        pytest.param(lambda data: b"\0" * len(data), id="zeros"),
    ],
)
def test_a_damaged_array_is_built_anew(own_cache: Path, damage: Callable[[bytes], bytes]) -> None:
    calls: list[Path] = []
    folder = build_once("kind", "key", counted(calls))
    data = (folder / "numbers.npy").read_bytes()
    (folder / "numbers.npy").write_bytes(damage(data))
    assert arrays_once("kind", "key", counted(calls))["numbers"].tolist() == list(range(1000))
    assert len(calls) == 2
