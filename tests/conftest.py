"""What many tests stand on: a cache of their own, small sources, and the real data where it is."""

import gc
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from fairshot.runtime.data import data_folders, find_data
from fairshot.runtime.errors import FairshotError
from fairshot.sources.array import from_arrays
from fairshot.sources.source import Source
from tests.shape_checks import Now
from tests.workers import Together

settings.register_profile("fairshot", deadline=None, max_examples=50)
settings.load_profile("fairshot")
gc.set_threshold(50_000, 20, 50)  # modules alone are a million objects, and nearly all of them stay


@pytest.hookimpl(optionalhook=True)  # without xdist nobody asks
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling:
    """Tests of one file, or of a folder that shares much, go to the same worker process."""
    return Together(config, log)


def pytest_runtest_setup() -> None:
    """Shapes are checked anew in every test."""
    Now.test += 1


@pytest.fixture(scope="session", autouse=True)
def _cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """One cache for the whole test run, shared by its worker processes and gone with it."""
    base = tmp_path_factory.getbasetemp()
    os.environ["FAIRSHOT_CACHE"] = str((base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "cache")


@pytest.fixture(scope="session", autouse=True)
def _one_thread() -> None:
    """Tests run beside each other: threads that wait for busy cores make everything many times slower.

    With two threads of OpenBLAS and no core to spare, an eigendecomposition of 256 features takes 27 times as long.
    """
    import torch  # here, since the process that hands out tests needs none
    from threadpoolctl import threadpool_limits

    torch.set_num_threads(1)
    threadpool_limits(1)
    for library in ("OPENBLAS", "OMP", "MKL"):  # what is loaded later, and processes that tests start
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")


@pytest.fixture
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that FAIRSHOT_DATA lists, alone."""
    folder = tmp_path / "data"
    folder.mkdir()
    monkeypatch.setenv("FAIRSHOT_DATA", str(folder))
    return folder


@pytest.fixture(scope="session")
def omniglot(_cache: None) -> Source:
    """The real Omniglot."""
    try:
        find_data("omniglot", "images_background")
    except FairshotError:
        pytest.skip("needs Omniglot: let FAIRSHOT_DATA list the folder that holds omniglot/")
    from fairshot.sources.omniglot import load

    return load()


def data_file(place: str) -> Path:
    """A file below a data folder; without it the test says what it needs and is skipped."""
    for folder in data_folders():
        if (folder / place).is_file():
            return folder / place
    pytest.skip(f"needs {place}: let FAIRSHOT_DATA list the folder that holds {place.split('/')[0]}/")


def make_vectors(
    *, classes: int = 30, images: int = 20, features: int = 16, spread: float = 1.0, parents: int = 3, seed: int = 0
) -> Source:
    """Gaussian classes around Gaussian centres; classes take turns between parents."""
    rng = np.random.default_rng(seed)
    labels = np.repeat(np.arange(classes), images)
    centres = rng.normal(size=(classes, features))
    vectors = centres[labels] + spread * rng.normal(size=(len(labels), features))
    return from_arrays(
        vectors.astype(np.float32),
        labels,
        name="vectors",
        parents=np.array([f"parent{c % parents}" for c in range(classes)]),
    )


@pytest.fixture(scope="session")
def vectors() -> Source:
    return make_vectors()
