"""What is shared is made in one worker process."""

import os

import pytest

from tests.paths import ROOT
from tests.workers import FOLDERS, group


@pytest.mark.parametrize(
    ("nodeid", "wanted"),
    [
        ("tests/tasks/test_folds.py::test_folds[a::b-tests/scoring/x]", "tests/tasks/test_folds.py"),
        ("tests/tasks/test_folds.py::Class::test_folds", "tests/tasks/test_folds.py"),
        ("tests/scoring/measures/test_chords.py::test_chords", "tests/scoring"),
        ("tests/scoring_of_another_kind.py::test_it", "tests/scoring_of_another_kind.py"),
    ],
)
def test_a_file_stays_together_and_so_does_a_folder_that_shares_much(nodeid: str, wanted: str) -> None:
    assert group(nodeid) == wanted


def test_folders_that_stay_together_are_there() -> None:
    assert all((ROOT / folder).is_dir() for folder in FOLDERS)


@pytest.mark.parametrize("turn", range(4))
def test_no_file_is_run_by_two_workers(turn: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Each test of this file adds its worker: had they several, the last would find another name."""
    base, worker = tmp_path_factory.getbasetemp(), os.environ.get("PYTEST_XDIST_WORKER", "")
    with ((base.parent if worker else base) / "workers.txt").open("a+") as file:
        file.write(f"worker {worker}\n")
        file.seek(0)
        assert set(file.read().splitlines()) == {f"worker {worker}"}
