"""A sweep on a small world that was run once, which several tests look at."""

from pathlib import Path

import pytest

from fairshot.results.study_rows import SampleResult
from fairshot.scoring.critics import Critics
from fairshot.studies.kinds.sweep import Sweep
from fairshot.studies.study import run_study
from tests.studies.kinds.small_generators import make_critics, make_sweep


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("sweep")


@pytest.fixture(scope="session")
def critics(folder: Path) -> Critics:
    return make_critics(folder / "critics")


@pytest.fixture(scope="session")
def study(critics: Critics) -> Sweep:
    return make_sweep(critics)


@pytest.fixture(scope="session")
def result(study: Sweep, folder: Path) -> SampleResult:
    """What the sweep found; it lies in the folder `run`."""
    result = run_study(study, out=folder / "run")
    assert isinstance(result, SampleResult)
    return result
