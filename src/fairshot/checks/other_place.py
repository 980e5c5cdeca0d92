"""Another place to answer from: another process, environment, folder, host, user and order of hashes."""

import os
import platform
import socket
import tempfile
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from contextlib import chdir, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from fairshot.checks.global_random import generators_restored
from fairshot.checks.stand_in import substituted
from fairshot.learners.learner import TaskBatch

# Variables that libraries need to work as they do here.
PREFIXES = """
    PATH LD_ DYLD_ PYTHON VIRTUAL_ENV CONDA LANG LC_ TMP TEMP SYSTEMROOT WINDIR COMSPEC OMP_ MKL_ OPENBLAS_ BLIS_ GOMP_
    KMP_ CUDA NVIDIA_ ROCM TORCH PYTORCH HF_ TRANSFORMERS_ TOKENIZERS_ TF_ XLA_ JAX_ KERAS_ NUMBA_ SKLEARN_ JOBLIB_
    LOKY_ MPL XDG_ SSL_ HTTP_ HTTPS_ NO_PROXY FAIRSHOT_
"""
KEPT = tuple(PREFIXES.split())
MOST_LINKS = 10_000  # entries of a folder that is made to appear elsewhere
HASHES = "271828"  # another order of sets of strings than nearly every process has


@dataclass(frozen=True)
class Job:
    """Work for another process: a learner as bytes, images as a learner is given them, and a question."""

    learner: bytes
    images: Tensor
    batch: TaskBatch


@dataclass(frozen=True)
class Place:
    """Where a learner answers: the variables of its environment and its current folder."""

    variables: Mapping[str, str]
    folder: str


class CannotRebuild(Exception):
    """The learner cannot be made again in another process."""


@contextmanager
def other_place() -> Iterator[Place]:
    """Other values of the variables that no library needs, and other names of the home and the current folder.

    The folders hold links to what the true ones hold, so that whatever is looked up there is found.
    """
    with tempfile.TemporaryDirectory() as made:
        home, folder = (Path(made) / name for name in ("somebody", "somewhere"))
        _mirror(Path.home(), home)
        _mirror(Path.cwd(), folder)
        names = {
            "HOME": str(home),
            "USERPROFILE": str(home),
            "PWD": str(folder),
            "USER": "somebody",
            "LOGNAME": "somebody",
        }
        changed = {name: _other_value(name, value) for name, value in os.environ.items()}
        yield Place(changed | names | {"HOSTNAME": "other-host", "TZ": "UTC-14"}, str(folder))


@contextmanager
def elsewhere(place: Place) -> Iterator[None]:
    """Inside, this process has other numbers, names, variables and another folder, as far as they can be pretended."""
    kept, number = dict(os.environ), os.getpid() + 1
    host = os.uname()
    names = (host.sysname, "other-host", *tuple(host)[2:])
    pretended: dict[Any, Any] = {
        os.getpid: lambda: number,
        os.getppid: lambda: number + 1,
        os.cpu_count: lambda: 3,
        os.uname: lambda: type(host)(names),
        socket.gethostname: lambda: "other-host",
        socket.getfqdn: lambda name="": name or "other-host.somewhere",
        platform.node: lambda: "other-host",
    }
    with substituted(pretended), chdir(place.folder):
        _set_variables(place.variables)
        try:
            yield
        finally:
            _set_variables(kept)


def answer_elsewhere(job: Job, place: Place, seconds: int) -> tuple[np.ndarray, np.ndarray]:
    """Features and logits from another process; whatever the learner raises there is raised here."""
    try:
        return other_process().submit(_answer, job, place).result(timeout=seconds)
    except Exception as error:
        if type(error).__name__ in ("TerminatedWorkerError", "BrokenProcessPool", "TimeoutError"):
            other_process().shutdown(wait=False, kill_workers=True)
            other_process.cache_clear()
        raise


@cache
def other_process() -> Any:
    """A second process with another order of hashes; all checks of this process share it."""
    from joblib.externals.loky import ProcessPoolExecutor

    return ProcessPoolExecutor(max_workers=1, env={"PYTHONHASHSEED": HASHES})


def start_other_process() -> "Future[None]":
    """Starts the second process early, since it takes a moment to load what learners need."""
    return other_process().submit(torch.set_num_threads, 1)


def _answer(job: Job, place: Place) -> tuple[np.ndarray, np.ndarray]:
    from cloudpickle import loads

    torch.set_num_threads(1)
    with elsewhere(place), generators_restored():
        try:
            learner = loads(job.learner)
        except Exception as error:  # modules that are not found there
            raise CannotRebuild(str(error)) from error
        with torch.inference_mode():
            return learner.embed(job.images).numpy(), learner.classify(job.batch).numpy()


def _other_value(name: str, value: str) -> str:
    if name.upper().startswith(KEPT) or any(os.path.exists(part) for part in value.split(os.pathsep) if part):
        return value
    return str(int(value) + 1) if value.lstrip("-").isdecimal() else f"{value}-other"


def _set_variables(variables: Mapping[str, str]) -> None:
    for name in set(os.environ) - set(variables):
        del os.environ[name]
    os.environ.update(variables)


def _mirror(folder: Path, mirror: Path) -> None:
    mirror.mkdir()
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in islice(entries, MOST_LINKS):
            (mirror / entry.name).symlink_to(os.path.abspath(entry.path))
