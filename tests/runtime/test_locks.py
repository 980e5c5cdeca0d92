"""A lock is one process's at a time, and nobody's when its process is gone."""

import os
import subprocess
import sys
from pathlib import Path

from fairshot.runtime.locks import hold, locked_if_free

HOLD = """
import sys, time
from pathlib import Path
from fairshot.runtime.locks import hold
hold(Path(sys.argv[1]))
print("held", flush=True)
time.sleep(60)
"""


def is_free(file: Path) -> bool:
    with locked_if_free(file) as free:
        return free


def test_a_lock_is_free_when_its_holder_lets_go_or_is_killed(tmp_path: Path) -> None:
    file = tmp_path / ".lock"
    handle = hold(file)
    assert not is_free(file)
    os.close(handle)
    assert is_free(file)
    with subprocess.Popen([sys.executable, "-c", HOLD, file], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert not is_free(file)
        process.kill()
    assert is_free(file)


def test_a_lock_in_a_folder_that_is_not_there_is_not_free(tmp_path: Path) -> None:
    assert not is_free(tmp_path / "nowhere" / ".lock")
