import os
from pathlib import Path

import pytest

from fairshot.runtime.data import data_folders, find_data, stamp
from fairshot.runtime.errors import FairshotError


def test_the_folders_are_those_that_fairshot_data_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRSHOT_DATA", os.pathsep.join(["/a", "", "b/c"]))
    assert data_folders() == [Path("/a"), Path("b/c")]


@pytest.mark.parametrize("listed", [None, ""])
def test_without_fairshot_data_it_is_the_data_folder_of_the_cache(
    monkeypatch: pytest.MonkeyPatch, listed: str | None
) -> None:
    monkeypatch.setenv("FAIRSHOT_CACHE", "/somewhere")
    monkeypatch.delenv("FAIRSHOT_DATA", raising=False)
    if listed is not None:
        monkeypatch.setenv("FAIRSHOT_DATA", listed)
    assert data_folders() == [Path("/somewhere/data")]


@pytest.mark.parametrize("ending", ["", ".zip", ".tar", ".tar.gz", ".tgz"])
def test_data_is_found_packed_or_unpacked(data_folder: Path, ending: str) -> None:
    wanted = data_folder / "set" / f"images{ending}"
    wanted.parent.mkdir()
    wanted.mkdir() if not ending else wanted.touch()
    assert find_data("set", "images") == wanted


def test_the_first_folder_and_the_first_name_win(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for place in ("one/set/b", "two/set/a", "two/set/b"):
        (tmp_path / place).mkdir(parents=True)
    monkeypatch.setenv("FAIRSHOT_DATA", os.pathsep.join(str(tmp_path / name) for name in ("none", "one", "two")))
    assert find_data("set", "a", "b") == tmp_path / "one/set/b"
    monkeypatch.setenv("FAIRSHOT_DATA", str(tmp_path / "two"))
    assert find_data("set", "a", "b") == tmp_path / "two/set/a"


def test_the_unpacked_folder_goes_before_the_archive(data_folder: Path) -> None:
    (data_folder / "set" / "a").mkdir(parents=True)
    (data_folder / "set" / "a.zip").touch()
    assert find_data("set", "a") == data_folder / "set" / "a"


def test_missing_data_says_where_it_was_looked_for_and_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRSHOT_DATA", os.pathsep.join(["/no/where", "/else"]))
    with pytest.raises(FairshotError) as caught:
        find_data("set", "images", "other")
    assert str(caught.value) == (
        "set is not here: no images in /no/where/set, /else/set; run 'fairshot data get set', or let FAIRSHOT_DATA list "
        "the folder that holds set/"
    )


def test_a_stamp_changes_with_size_time_and_name_and_else_stays(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    (folder / "deep").mkdir(parents=True)
    file = folder / "deep" / "a"
    file.write_bytes(b"1")
    os.utime(file, ns=(5, 5))
    first = stamp(folder)
    assert stamp(folder) == first
    file.write_bytes(b"12")
    os.utime(file, ns=(5, 5))
    longer = stamp(folder)
    os.utime(file, ns=(5, 6))
    later = stamp(folder)
    file.rename(folder / "deep" / "b")
    renamed = stamp(folder)
    states = [first, longer, later, renamed]
    assert all(states[i] != states[j] for i in range(4) for j in range(i))


def test_a_stamp_of_a_file_is_its_name_size_and_time(tmp_path: Path) -> None:
    file = tmp_path / "a.zip"
    file.write_bytes(b"123")
    os.utime(file, ns=(7, 9))
    assert stamp(file) == [["a.zip", 3, 9]]


def test_a_stamp_does_not_depend_on_where_the_folder_lies(tmp_path: Path) -> None:
    stamps = []
    for place in ("x", "y"):
        file = tmp_path / place / "set" / "a"
        file.parent.mkdir(parents=True)
        file.write_bytes(b"1")
        os.utime(file, ns=(5, 5))
        os.utime(file.parent, ns=(5, 5))
        stamps.append(stamp(file.parent))
    assert stamps[0] == stamps[1]


def test_a_link_to_nowhere_does_not_break_a_stamp(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "gone").symlink_to(tmp_path / "nowhere")
    stamp(tmp_path / "folder")


def test_a_stamp_sees_through_links(tmp_path: Path) -> None:
    for place in ("folder", "elsewhere"):
        (tmp_path / place).mkdir()
    (tmp_path / "folder" / "link").symlink_to(tmp_path / "elsewhere")
    first = stamp(tmp_path / "folder")
    (tmp_path / "elsewhere" / "new").touch()
    assert stamp(tmp_path / "folder") != first
