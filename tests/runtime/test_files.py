import errno
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from safetensors import SafetensorError

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.files import (
    FORGOTTEN,
    JOURNAL,
    complete_file,
    complete_folder,
    disk_is_full,
    expand,
    files_below,
    fill_folder,
)
from fairshot.runtime.locks import hold


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_complete_file_takes_its_place(tmp_path: Path) -> None:
    with complete_file(tmp_path / "new" / "a.txt") as unfinished:
        unfinished.write_text("all of it")
        assert not (tmp_path / "new" / "a.txt").exists()
    assert (tmp_path / "new" / "a.txt").read_text() == "all of it"
    assert names(tmp_path / "new") == ["a.txt"]


def test_a_complete_file_replaces_the_old_one(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("old")
    with complete_file(tmp_path / "a.txt") as unfinished:
        unfinished.write_text("new")
        assert (tmp_path / "a.txt").read_text() == "old"
    assert (tmp_path / "a.txt").read_text() == "new"


def test_a_scratch_file_has_the_final_name_so_that_writers_see_its_ending(tmp_path: Path) -> None:
    with complete_file(tmp_path / "a.npz") as unfinished:
        assert unfinished.name == "a.npz"
        unfinished.touch()


def test_a_failure_leaves_the_old_file_and_no_scratch(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("old")
    with pytest.raises(ZeroDivisionError), complete_file(tmp_path / "a.txt") as unfinished:
        unfinished.write_text("half of")
        raise ZeroDivisionError
    assert (tmp_path / "a.txt").read_text() == "old"
    assert names(tmp_path) == ["a.txt"]


def test_a_failure_leaves_no_file_where_there_was_none(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), complete_file(tmp_path / "a.txt") as unfinished:
        unfinished.write_text("half of")
        raise KeyboardInterrupt
    assert names(tmp_path) == []


def test_a_complete_folder_takes_its_place(tmp_path: Path) -> None:
    with complete_folder(tmp_path / "new" / "run") as unfinished:
        (unfinished / "a").write_text("1")
        assert not (tmp_path / "new" / "run").exists()
    assert names(tmp_path / "new" / "run") == ["a"]
    assert names(tmp_path / "new") == ["run"]


def test_a_failure_leaves_no_folder_and_no_scratch(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), complete_folder(tmp_path / "run") as unfinished:
        (unfinished / "a").write_text("1")
        raise ZeroDivisionError
    assert names(tmp_path) == []


def test_a_failure_leaves_the_old_folder_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "old").write_text("1")
    with pytest.raises(ZeroDivisionError), complete_folder(tmp_path / "run") as unfinished:
        (unfinished / "new").write_text("2")
        raise ZeroDivisionError
    assert names(tmp_path) == ["run"]
    assert names(tmp_path / "run") == ["old"]


def test_the_first_to_finish_a_folder_wins(tmp_path: Path) -> None:
    with complete_folder(tmp_path / "run") as slow:
        (slow / "slow").touch()
        with complete_folder(tmp_path / "run") as fast:
            (fast / "fast").touch()
    assert names(tmp_path / "run") == ["fast"]
    assert names(tmp_path) == ["run"]


@pytest.mark.parametrize("complete", [complete_file, complete_folder])
def test_a_parent_that_is_a_file_is_refused_in_one_line(tmp_path: Path, complete) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(FairshotError) as caught, complete(tmp_path / "file" / "a"):
        pass
    assert str(caught.value) == (f"cannot write to {tmp_path / 'file'} (File exists): choose a folder you can write to")


@pytest.mark.parametrize("complete", [complete_file, complete_folder])
def test_a_parent_below_a_file_is_refused_in_one_line(tmp_path: Path, complete) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(FairshotError) as caught, complete(tmp_path / "file" / "deeper" / "a"):
        pass
    assert str(caught.value) == (
        f"cannot write to {tmp_path / 'file' / 'deeper'} (Not a directory): choose a folder you can write to"
    )
    assert names(tmp_path) == ["file"]


def test_a_folder_in_the_place_of_the_file_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "report.html" / "inside").mkdir(parents=True)
    with pytest.raises(FairshotError), complete_file(tmp_path / "report.html") as unfinished:
        unfinished.write_text("text")
    assert names(tmp_path / "report.html") == ["inside"]


def test_a_file_in_the_place_of_the_folder_is_not_taken_for_the_folder(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("a file")
    with pytest.raises((FairshotError, OSError)), complete_folder(tmp_path / "run") as unfinished:
        (unfinished / "a").touch()
    assert names(tmp_path) == ["run"]


def test_files_below_come_in_the_order_of_their_paths_and_through_links(tmp_path: Path) -> None:
    root = tmp_path / "root"
    for place in ("root/b/2", "root/b.txt", "root/a/z", "root/b/10", "elsewhere/x", "elsewhere/deep/y"):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).touch()
    (root / "linked").symlink_to(tmp_path / "elsewhere")
    (root / "again").symlink_to(tmp_path / "elsewhere" / "deep")
    (root / "gone").symlink_to(tmp_path / "nowhere")
    (root / "itself").symlink_to(root / "itself")
    found = [file.relative_to(root).as_posix() for file in files_below(root)]
    assert found == ["a/z", "again/y", "b/10", "b/2", "b.txt", "gone", "itself", "linked/deep/y", "linked/x"]


def test_pipes_are_left_out_as_they_would_keep_a_reader_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.png")
    (tmp_path / "link.png").symlink_to(tmp_path / "pipe.png")
    (tmp_path / "file.png").touch()
    assert [file.name for file in files_below(tmp_path)] == ["file.png"]


def test_links_in_a_circle_end(tmp_path: Path) -> None:
    for name, other in (("a", "b"), ("b", "a")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").touch()
        (tmp_path / name / "other").symlink_to(tmp_path / other)
        (tmp_path / name / "up").symlink_to(tmp_path)
    found = [file.relative_to(tmp_path).as_posix() for file in files_below(tmp_path)]
    assert found == ["a/file", "a/other/file", "b/file", "b/other/file"]


def test_what_leads_nowhere_is_left_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert expand("~/a") == tmp_path / "a"
    assert expand(Path("a/~b")) == Path("a/~b")
    assert expand("~nobody-of-this-name/a") == Path("~nobody-of-this-name/a")


def test_a_folder_that_was_interrupted_is_given_again(tmp_path: Path) -> None:
    target = tmp_path / "made"

    def interrupted(folder: Path) -> None:
        (folder / "first").touch()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fill_folder(target, interrupted)
    assert not target.exists()
    fill_folder(target, lambda folder: (folder / "second").touch())
    assert sorted(path.name for path in target.iterdir()) == ["first", "second"]
    assert list(tmp_path.iterdir()) == [target]
    fill_folder(target, interrupted)  # it is there: nothing is done


def test_a_folder_whose_filling_failed_is_gone(tmp_path: Path) -> None:
    def fail(folder: Path) -> None:
        (folder / "first").touch()
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        fill_folder(tmp_path / "made", fail)
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_to_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(FairshotError, match=r"^cannot write to .*file \(.*\): choose a folder you can write to$"):
        fill_folder(tmp_path / "file" / "made", lambda folder: None)


def write_file(path: Path, write: Callable[[Path], None]) -> None:
    with complete_file(path) as unfinished:
        write(unfinished)


def write_folder(path: Path, write: Callable[[Path], None]) -> None:
    with complete_folder(path) as unfinished:
        write(unfinished / "inside")


def write_resumable(path: Path, write: Callable[[Path], None]) -> None:
    fill_folder(path, lambda unfinished: write(unfinished / "inside"))


FULL = [  # as the system, NumPy and safetensors say it
    OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)),
    OSError(errno.EDQUOT, os.strerror(errno.EDQUOT)),
    OSError("1000 requested and 464 written"),
    SafetensorError("Error while serializing: I/O error: No space left on device (os error 28)"),
]


@pytest.mark.parametrize("error", FULL, ids=str)
@pytest.mark.parametrize("way", [write_file, write_folder, write_resumable])
def test_a_full_disk_is_one_line_and_leaves_nothing(way: Callable, error: Exception, tmp_path: Path) -> None:
    def write(path: Path) -> None:
        path.write_text("half of")
        raise error

    with pytest.raises(FairshotError) as caught:
        way(tmp_path / "a", write)
    assert str(caught.value) == (
        f"the disk is full: {tmp_path / 'a'} was not written; make room there and give the same command again"
    )
    assert names(tmp_path) == []


def test_other_errors_are_no_full_disk() -> None:
    assert not any(map(disk_is_full, [OSError(errno.EACCES, "No"), ValueError("two requested"), OSError("no number")]))


def test_what_a_process_that_is_gone_left_is_removed_by_the_next_writer(tmp_path: Path) -> None:
    resumable = (".resumable-forgotten", ".resumable-recent")
    for name in (".unfinished-dead", ".unfinished-alive", ".resumable-to-begin-anew", *resumable):
        (tmp_path / name).mkdir()
        (tmp_path / name / (JOURNAL if name in resumable else "large")).write_text("half of")
    old = time.time() - FORGOTTEN - 60
    for path in (tmp_path / ".resumable-forgotten" / JOURNAL, tmp_path / ".resumable-forgotten"):
        os.utime(path, (old, old))
    handle = hold(tmp_path / ".unfinished-alive" / ".lock")
    write_file(tmp_path / "a", lambda path: path.write_text("all of it") and None)
    os.close(handle)
    assert names(tmp_path) == [".resumable-recent", ".unfinished-alive", "a"]
