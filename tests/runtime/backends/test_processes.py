"""Workers end with whoever started them, and one that dies is said to have died."""

import os
import subprocess
import sys
import time

import pytest

from fairshot.runtime.backends.processes import map_in_processes
from fairshot.runtime.errors import FairshotError

SLEEP = """
import os, sys, time
from fairshot.runtime.backends.processes import map_in_processes

def work(number):
    if number:
        time.sleep(60)
    return os.getpid()

if __name__ == "__main__":
    for worker in map_in_processes(work, range(4)):
        print(worker, flush=True)
"""


def lives(process: int) -> bool:
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="looks for processes in /proc")
def test_workers_of_a_process_that_was_killed_end(tmp_path) -> None:
    (tmp_path / "sleep.py").write_text(SLEEP)
    with subprocess.Popen([sys.executable, tmp_path / "sleep.py"], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        worker = int(process.stdout.readline())
        assert lives(worker)
        process.kill()
    limit = time.monotonic() + 10
    while lives(worker) and time.monotonic() < limit:
        time.sleep(0.1)
    assert not lives(worker)


def test_a_worker_whose_parent_is_gone_before_it_begins_ends_at_once() -> None:
    gone = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True)
    code = f"from fairshot.runtime.backends.processes import end_with; end_with({int(gone.stdout)}); print('alive')"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (1, "")


def test_a_worker_that_dies_is_one_line() -> None:
    with pytest.raises(FairshotError, match=r"^a process that did part of the work has died \(.*\): try again with "):
        list(map_in_processes(os._exit, [3]))
