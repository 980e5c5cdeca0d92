"""Ray on this machine with two processors: the same answers as any other way to share work, also after a worker died."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from fairshot.evaluation.evaluate import evaluate
from fairshot.learners.classifiers.logistic import Logistic
from fairshot.learners.classifiers.prototypes import Prototypes
from fairshot.runtime.backends.backend import ordered_map
from fairshot.runtime.errors import FairshotError
from fairshot.studies.kinds.trained_table import Course, Trainings
from fairshot.studies.study import Conditions
from fairshot.tasks.uniform import Uniform
from tests.conftest import make_vectors

ray = pytest.importorskip("ray", reason="needs ray: pip install 'fairshot[ray]'")


@pytest.fixture(scope="module", autouse=True)
def _two_processors() -> Iterator[None]:
    try:
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="fatal")
    except Exception as error:  # a sandbox without shared memory or ports
        pytest.skip(f"Ray does not start on this machine: {error}")
    yield
    ray.shutdown()


def test_answers_come_in_order_from_other_processes_with_functions_that_only_exist_here() -> None:
    offset = 10
    answers = list(ordered_map(lambda number: (number + offset, os.getpid()), range(9), count=9, backend="ray"))
    assert [number for number, _ in answers] == list(range(10, 19))
    assert os.getpid() not in {process for _, process in answers}


def test_an_error_arrives_with_its_text() -> None:
    def fail_at_two(number: int) -> int:
        if number == 2:
            raise FairshotError(f"{number} is one too many")
        return number

    with pytest.raises(FairshotError) as caught:
        list(ordered_map(fail_at_two, range(5), count=5, backend="ray"))
    assert str(caught.value) == "2 is one too many"


def test_files_are_equal_also_after_a_worker_was_killed(tmp_path: Path) -> None:
    killed = tmp_path / "killed"

    class Dying(Logistic):
        def scores(self, task):  # type: ignore[no-untyped-def]
            if os.environ.get("RAY_JOB_ID") and not killed.exists():
                killed.touch()
                os._exit(9)
            return super().scores(task)

    learners = {"by arrays": Prototypes(), "one by one": Dying()}
    found = {
        backend: evaluate(make_vectors(), learners, [Uniform(way=3, shot=2, query=2)], episodes=130, backend=backend)
        for backend in ("serial", "ray")
    }
    assert killed.exists(), "a worker must have died for this test to say something"
    for name in learners:
        serial, other = (found[backend].scores(found[backend][name])[0] for backend in ("serial", "ray"))
        np.testing.assert_array_equal(other.values, serial.values)
        np.testing.assert_array_equal(other.correct, serial.correct)
    assert found["ray"].rows == found["serial"].rows


def test_trainings_of_a_study_are_shared_and_give_the_same_bytes(tmp_path: Path) -> None:
    changes = "way=3,shot=1,query=1,steps=2,epoch=2,val_episodes=2,val_way=3,recipe=28"
    courses = {f"seed{seed}": Course("prototypes", "laptop", changes, seed=seed) for seed in (0, 1)}
    courses["after"] = Course("prototypes", "laptop", changes, begin="seed0")
    trainings = Trainings("any", courses, "glyphs:alphabets=4,characters=4,drawers=4/parents")
    notes: list[str] = []
    for backend, folder in (("serial", "one"), ("ray", "two")):
        trainings.run(Conditions(backend=backend, out=tmp_path / folder, note=notes.append))
    assert notes[-3:] == [f"{name} is trained, {n} of 3" for n, name in enumerate(("seed0", "seed1", "after"), 1)]
    for name in courses:
        one, two = (tmp_path / folder / "training" / name / "weights.safetensors" for folder in ("one", "two"))
        assert (one.read_bytes() == two.read_bytes()) == (name != "after"), "its record names the folder where it began"
        weights = [load_file(file) for file in (one, two)]
        assert all(torch.equal(weights[0][tensor], weights[1][tensor]) for tensor in weights[0])


def test_without_ray_it_is_said_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(FairshotError) as caught:
        list(ordered_map(abs, [1], count=1, backend="ray"))
    assert str(caught.value) == "Ray was asked for, and it is not installed: pip install 'fairshot[ray]'"
