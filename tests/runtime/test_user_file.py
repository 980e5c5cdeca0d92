"""A user's own code: what it prints stays out of results, and where it goes nobody else goes."""

import io
import os
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.grammar.name import Code
from fairshot.runtime.user_file import as_a_guest, load_from_file


def speak() -> None:
    print("printed")
    os.write(1, b"written\n")
    subprocess.run(["echo", "run"], check=True)
    assert sys.__stdout__ is not None
    sys.__stdout__.write("kept\n")


def test_nothing_that_is_said_reaches_stdout(capfd: pytest.CaptureFixture[str]) -> None:
    print("before")
    with as_a_guest():
        speak()
    print("after")
    said = capfd.readouterr()
    assert said.out == "before\nafter\n"
    assert sorted(said.err.split()) == ["kept", "printed", "run", "written"]


def test_stdout_comes_back_after_a_failure(capfd: pytest.CaptureFixture[str]) -> None:
    open_before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else None
    for _ in range(3):
        with pytest.raises(ZeroDivisionError), as_a_guest():
            raise ZeroDivisionError
    os.write(1, b"written\n")
    print("printed")
    assert capfd.readouterr().out == "written\nprinted\n"
    assert open_before is None or len(os.listdir("/proc/self/fd")) == open_before


def test_a_stdout_of_python_alone_will_do(capsys: pytest.CaptureFixture[str]) -> None:
    with redirect_stdout(io.StringIO()) as kept, as_a_guest():
        print("printed")
    assert kept.getvalue() == ""
    assert capsys.readouterr().err == "printed\n"


@pytest.mark.parametrize("closed", [1, 2])
def test_a_closed_descriptor_is_no_reason_to_stop(closed: int) -> None:
    code = (
        "import os; from fairshot.runtime.user_file import as_a_guest\n"
        "with as_a_guest(): print('printed'); os.system('echo run 2>/dev/null')\n"
        "print('after')\n"
    )
    ran = subprocess.run(
        ["sh", "-c", f'exec "{sys.executable}" -c "{code}" {closed}>&-'], capture_output=True, text=True, check=True
    )
    assert ran.stdout == ("" if closed == 1 else "after\n")


def test_the_working_folder_stays(tmp_path: Path) -> None:
    here = os.getcwd()
    with as_a_guest():
        os.chdir(tmp_path)
    assert os.getcwd() == here
    with pytest.raises(ZeroDivisionError), as_a_guest():
        os.chdir(tmp_path)
        raise ZeroDivisionError
    assert os.getcwd() == here


def test_a_file_may_speak_and_go_where_it_likes_while_it_is_imported(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    here, file = os.getcwd(), tmp_path / "mine.py"
    file.write_text("import os\nos.system('echo hello')\nos.chdir('/')\nnumber = 3\n")
    assert load_from_file(Code(str(file), "number"))[0] == 3
    assert capfd.readouterr() == ("", "hello\n")
    assert os.getcwd() == here


@pytest.mark.parametrize("path", ["a" * 300 + ".py", "~nobody-of-this-name/mine.py", "lost.py"])
def test_a_file_that_is_not_there(path: str) -> None:
    with pytest.raises(FairshotError) as refused:
        load_from_file(Code(path, "f"))
    assert str(refused.value) == f"there is no file {path}: write path.py:name"
