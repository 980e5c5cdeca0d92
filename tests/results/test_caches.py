"""Caches are listed with their sizes, and what can be made again is removed, after a dry run if somebody wants one."""

import json
import os
import time
from pathlib import Path

import pytest

import fairshot as fs
from fairshot.cli.main import main
from fairshot.runtime.errors import FairshotError


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FAIRSHOT_CACHE", str(tmp_path / "cache"))
    for place, size, days in (("sources/a", 3000, 0), ("sources/b", 1000, 9), ("studies/c", 10, 9), ("data/d", 10, 9)):
        folder = tmp_path / "cache" / place
        folder.mkdir(parents=True)
        (folder / "file.npy").write_bytes(b"0" * size)
        os.utime(folder / "file.npy", (time.time() - days * 86400 - 60,) * 2)
    (tmp_path / "cache" / "sources" / ".unfinished-x").mkdir()
    return tmp_path / "cache"


def names(found: object) -> list[str]:
    return [entry.path.name for entry in found]  # type: ignore[attr-defined]


def test_all_of_it_is_listed_the_largest_first(cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert names(fs.caches()) == ["a", "b", "d", "c"]
    assert [entry.size for entry in fs.caches()][:2] == [3000, 1000]
    assert names(fs.caches(kinds=["studies"])) == ["c"]
    assert names(fs.caches(unused=5.0)) == ["b", "d", "c"]
    assert main(["cache", "list", "--unused", "5", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["caches"][0]["kind"] == "sources"


def test_a_dry_run_removes_nothing_and_lasting_things_stay(cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert names(fs.clean_caches(dry_run=True)) == ["a", "b"]
    assert (cache / "sources" / "a" / "file.npy").exists()
    assert main(["cache", "clean", "--unused", "5"]) == 0
    assert "1 folder of 0.0 MB removed from" in " ".join(capsys.readouterr().out.split())
    assert names(fs.caches()) == ["a", "d", "c"]
    assert names(fs.clean_caches(kinds=["studies"])) == ["c"]
    assert not (cache / "studies" / "c").exists()


def test_what_makes_no_sense_is_refused(cache: Path) -> None:
    with pytest.raises(FairshotError, match=r"^unknown kind of cache 'source': "):
        fs.caches(kinds=["source"])
    with pytest.raises(FairshotError, match=r"^unused for nan days makes no sense"):
        fs.caches(unused=float("nan"))


def test_no_cache_is_an_empty_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRSHOT_CACHE", str(tmp_path / "none"))
    assert len(fs.caches()) == 0
