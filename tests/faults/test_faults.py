"""A short campaign of kills and damaged files, in every run of the tests; `make faults` has the long one."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import ROOT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")


def test_kills_and_damaged_files_leave_no_fault(tmp_path: Path) -> None:
    """In a process of its own, which imports everything before it starts children."""
    short = ["--minutes", "0.5", "--kills", "12", "--inputs", "35", "--out", str(tmp_path / "counts.jsonl")]
    short += ["--only", "load", "convert", "train", "evaluate", "study"]
    done = subprocess.run(
        [sys.executable, "-m", "tests.faults.campaign", *short],
        capture_output=True,
        text=True,
        timeout=400,
        cwd=ROOT,
        check=False,
    )
    print(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [json.loads(line) for line in (tmp_path / "counts.jsonl").read_text().splitlines()]
    assert rows[-1]["kills"] > 0
    assert rows[-1]["files"] > 0
    assert rows[-1]["faults"] == rows[-1]["orphans"] == 0
    assert {row["killed"] for row in rows if "killed" in row} == {"load", "convert", "train", "evaluate", "study"}
