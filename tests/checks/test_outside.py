"""Answers that hang on something outside the question are found by the check of just that."""

import datetime
import os
import socket
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field, fields
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor

from fairshot.checks.check import Case, Check, copy_batch, select_episodes, tables
from fairshot.checks.checklist import check, shortfall, usual_task
from fairshot.checks.clock import Clock, ahead
from fairshot.checks.files import Files
from fairshot.checks.finding import Finding
from fairshot.checks.global_random import generators_restored
from fairshot.checks.other_place import elsewhere, other_place
from fairshot.checks.other_process import OtherProcess
from fairshot.checks.random_state import RandomState
from fairshot.checks.threads import Threads
from fairshot.checks.watch import Watch
from fairshot.learners.learner import Classifier, TaskBatch
from fairshot.specs.learners import find_learner
from fairshot.tasks.uniform import Uniform
from tests.checks.fragile import (
    Base,
    LooksUp,
    LooksUpOnce,
    Reads,
    ReadsInEncoder,
    ReadsLocked,
    ReadsOnce,
    SharedScratch,
)
from tests.checks.worlds import make_images, make_source


def find(kind: type[Check], learner: Classifier) -> Finding:
    """What one check finds, after the learner has answered as in an evaluation."""
    part = make_source(make_images())
    case = Case(learner, part, usual_task(part))
    with generators_restored():
        assert (case.snapshot is None) == (case.unasked is None)
        assert len(case.logits)
        return kind().find(case)


RANDOM = [Reads("torch"), Reads("numpy"), Reads("python"), Reads("seed"), ReadsInEncoder("torch"), ReadsOnce("numpy")]
CLOCK = [Reads("hour"), Reads("hour of two"), Reads("afternoon"), Reads("weekend"), Reads("text")]
PLACE = [Reads("pid"), Reads("variable"), Reads("home"), Reads("folder"), Reads("host"), Reads("hash"), Reads("set")]


@pytest.mark.parametrize("learner", RANDOM, ids=lambda one: f"{type(one).__name__} {one.what}")
def test_the_global_random_state_is_read(learner: Classifier) -> None:
    found = find(RandomState, learner)
    assert found.outcome == "leak"
    assert found.seen.endswith("when the global generators stand elsewhere")


@pytest.mark.parametrize("learner", [*CLOCK, ReadsInEncoder("hour"), ReadsOnce("hour"), ReadsLocked("hour")])
def test_the_clock_is_read(learner: Classifier) -> None:
    found = find(Clock, learner)
    assert found.outcome == "leak"
    assert "when the clock is " in found.seen


def test_who_looks_at_the_clock_is_known_though_types_are_checked() -> None:
    """Code of one's own is tried at every hour of the day, packages at few times."""
    part = make_source(make_images())
    case = Case(Reads("afternoon"), part, usual_task(part))
    with ahead() as hands:
        assert len(case.logits)
    assert [Path(looker).name for looker in hands.lookers] == ["fragile.py"]


@pytest.mark.parametrize("learner", [*PLACE, ReadsInEncoder("pid"), ReadsOnce("pid")])
def test_the_place_is_read(learner: Classifier, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("USER_OF_THIS_TEST", "me")
    found = find(OtherProcess, learner)
    assert found.outcome == "leak"
    assert found.seen.endswith("in another process and environment")


@pytest.mark.parametrize("what", ["pid", "variable", "home", "folder", "host"])
def test_a_learner_that_cannot_be_copied_is_asked_here_under_other_names(
    what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("USER_OF_THIS_TEST", "me")
    found = find(OtherProcess, ReadsLocked(what))
    assert found.outcome == "leak"
    assert found.seen.endswith("under another process number, environment and folder")


class DiesElsewhere(Base):
    """Ends any process but the one in which it was made."""

    def __init__(self) -> None:
        self.home = os.getpid()

    def classify(self, batch):
        if os.getpid() != self.home:
            os._exit(3)
        return super().classify(batch)


def test_what_fails_in_another_process_is_a_warning_and_the_next_learner_finds_another() -> None:
    found = find(OtherProcess, DiesElsewhere())
    assert found.outcome == "warning"
    assert found.seen.startswith("in another process and environment it cannot answer: ")
    assert find(OtherProcess, Base()).seen == "answers to 110 queries stay the same in another process and environment"


@pytest.mark.parametrize("learner", [Reads("threads"), Reads("thread"), SharedScratch()])
def test_threads_are_told_apart(learner: Classifier) -> None:
    found = find(Threads, learner)
    assert found.outcome == "leak"
    assert found.seen.endswith("when other threads ask")


@pytest.fixture
def on_disk(tmp_path: Path) -> str:
    """The test set, with its labels, in a file."""
    source = make_source(make_images())
    file = tmp_path / "kept.npz"
    np.savez_compressed(file, images=source.recipe.scale(source.read(slice(None))), labels=source.class_ids)
    return str(file)


@pytest.fixture
def blurred(tmp_path: Path) -> str:
    """The same, but no image is there to the last bit."""
    source = make_source(make_images())
    images = source.recipe.scale(source.read(slice(None))) + np.float32(0.01)
    np.savez(tmp_path / "kept.npz", images=images, labels=source.class_ids)
    return str(tmp_path / "kept.npz")


@pytest.mark.parametrize("kind", [LooksUp, LooksUpOnce])
def test_a_test_set_on_disk_is_found_by_its_images(kind: type[LooksUp], on_disk: str) -> None:
    found = find(Files, kind(on_disk))
    assert found.outcome == "leak"
    assert found.seen == f"while answering it reads {on_disk}, which holds images that it is asked about"


def test_answers_that_are_worse_without_a_file_come_from_it(blurred: str) -> None:
    found = find(Files, LooksUp(blurred, needed=False))
    assert found.outcome == "leak"
    assert found.seen == f"while answering it takes the answers from {blurred}: accuracy 100.0%, without it 20.0%"


def test_a_file_that_is_needed_is_named(blurred: str) -> None:
    found = find(Files, LooksUp(blurred))
    assert found.outcome == "warning"
    assert found.seen.startswith(f"while answering it needs {blurred}: make sure that no answers are in there (")


def test_the_data_folder_is_no_place_for_a_learner(blurred: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRSHOT_CACHE", str(Path(blurred).parent))
    found = find(Files, LooksUp(blurred))
    assert found.outcome == "leak"
    assert found.seen == f"while answering it reads {blurred}, which belongs to the data that it is asked about"


class Asks(Base):
    """Reaches for a program or a host."""

    def __init__(self, host: int = 0) -> None:
        self.host = host

    def classify(self, batch):
        if self.host:
            try:
                socket.create_connection(("127.0.0.1", self.host)).close()
                return super().classify(batch)
            except OSError:
                return 0 * super().classify(batch)
        with suppress(OSError):
            os.system("true")
        return super().classify(batch)


def test_a_host_that_knows_the_answers_is_found() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        found = find(Files, Asks(port))
    assert found.outcome == "leak"
    assert found.seen.startswith(f"while answering it takes the answers from 127.0.0.1:{port}: accuracy ")


def test_a_program_that_changes_nothing_is_named() -> None:
    found = find(Files, Asks())
    assert (found.outcome, found.seen) == ("ok", "answers stay the same without true")


def test_only_what_is_watched_is_noticed(tmp_path: Path) -> None:
    file, watch = tmp_path / "a", Watch()
    file.write_text("before")
    with watch.watching(), watch.watching():
        file.read_text()
        (tmp_path / "own").write_text("made here")
        (tmp_path / "own").read_text()
        (tmp_path / "folder").mkdir()
        Path(sys.executable).open("rb").close()
    file.with_name("b").write_text("")
    file.with_name("b").read_text()
    assert watch.reached == (str(file),)
    watch.hidden = frozenset([str(file)])
    with watch.watching(), pytest.raises(FileNotFoundError):
        file.read_text()
    assert file.read_text() == "before"


def test_the_clock_can_be_set_and_is_right_again_afterwards() -> None:
    real, early, functions = datetime.datetime, time.time(), (time.time, time.localtime, datetime.date)
    with ahead() as hands:
        hands.ahead = 86400 * 400
        assert time.time() - early > 86400 * 399
        assert datetime.datetime.now().timestamp() - early > 86400 * 399
        assert datetime.datetime.now(datetime.UTC).year > real.fromtimestamp(early).year
        assert time.localtime(0) == time.localtime(0.0)
        assert isinstance(real(2020, 1, 1), datetime.datetime)
        assert datetime.datetime(2020, 1, 1) == real(2020, 1, 1)
        assert str(datetime.date.today().year) == time.strftime("%Y")
    assert (time.time, time.localtime, datetime.date) == functions
    assert datetime.datetime is real


def test_another_place_has_the_same_files_under_other_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "table").write_text("1")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NUMBER", "7")
    monkeypatch.setenv("WHERE", str(tmp_path / "table"))
    before = dict(os.environ), os.getpid()
    with other_place() as place, elsewhere(place):
        assert Path("table").read_text() == "1"
        assert Path.cwd() != tmp_path
        assert os.environ["NUMBER"] == "8"
        assert os.environ["WHERE"] == str(tmp_path / "table")
        assert os.environ["HOME"] != before[0].get("HOME")
        assert os.getpid() != before[1]
    assert (dict(os.environ), os.getpid()) == before
    assert Path.cwd() == tmp_path


@dataclass(frozen=True)
class Marked(TaskBatch):
    """A batch that holds one thing more of each episode."""

    mark: Tensor = field(default_factory=lambda: torch.zeros(0))


def test_whatever_a_batch_holds_of_an_episode_stays_with_it() -> None:
    case = Case(Base(), make_source(make_images()), Uniform(query=3))
    values = {each.name: getattr(case.batch, each.name) for each in fields(TaskBatch) if each.init}
    batch = Marked(**values, mark=torch.arange(len(case.batch.way)))
    assert select_episodes(batch, slice(2, 4)).mark.tolist() == [2, 3]
    copy = copy_batch(batch)
    assert torch.equal(copy.mark, batch.mark)
    assert copy.mark.data_ptr() != batch.mark.data_ptr()
    assert "mark" in tables(batch)


def test_a_file_with_a_neighbour_that_no_other_process_finds_is_asked_here(tmp_path: Path) -> None:
    (tmp_path / "neighbour_of_mine.py").write_text("import os\ndef number(): return os.getpid()\n")
    (tmp_path / "mine.py").write_text(
        "import numpy as np\nfrom neighbour_of_mine import number\n"
        "def answer(x, y, q):\n"
        "    near = np.stack([-((q - x[y == c].mean(0)) ** 2).sum(1) for c in range(y.max() + 1)], 1)\n"
        "    return near * (1 + number() % 2)\n"
    )
    found = find(OtherProcess, find_learner(f"{tmp_path / 'mine.py'}:answer"))
    assert found.outcome == "leak"
    assert found.seen.endswith("under another process number, environment and folder")


KEPT: list[Tensor] = []


class KeptByModule(LooksUp):
    """Reads its file once, and its module keeps it."""

    def embed(self, images):
        if not KEPT:
            KEPT.append(torch.from_numpy(np.load(self.path)["images"]).flatten(1))
        return torch.cdist(images.flatten(1), KEPT[0])


def test_what_a_module_keeps_is_not_taken_for_needless(blurred: str) -> None:
    KEPT.clear()
    found = find(Files, KeptByModule(blurred))
    words = f"while answering it reads {blurred} once and keeps it: make sure that no answers are in there"
    assert (found.outcome, found.seen) == ("warning", words)


class LateWeights(Base):
    """Loads its weights with its first image."""

    def __init__(self, path: Path) -> None:
        self.path, self.weights = path, None

    def embed(self, images):
        if self.weights is None:
            self.weights = torch.from_numpy(np.load(self.path))
        return images.flatten(1) @ self.weights


def test_weights_that_are_loaded_late_are_named_and_no_leak(tmp_path: Path) -> None:
    file = tmp_path / "weights.npy"
    np.save(file, np.random.default_rng(0).normal(size=(144, 64)).astype(np.float32))
    findings = check(LateWeights(file), make_source(make_images()))
    found = {one.check: one.outcome for one in findings if one.outcome not in ("ok", "not applicable")}
    assert found == {"files": "warning"}


@pytest.mark.parametrize(
    ("options", "label", "smaller"),
    [
        ({}, "5-way 1-shot 11-query", "drawings is too small for 5-way 1-shot 15-query"),
        ({"query": 3}, "5-way 1-shot 3-query", ""),
        ({"shot": 4}, "5-way 4-shot 8-query", "drawings is too small for 5-way 4-shot 15-query"),
        ({"way": 12, "query": 2}, "12-way 1-shot 2-query", ""),
    ],
)
def test_the_task_of_an_evaluation_or_what_the_part_allows(options: dict[str, int], label: str, smaller: str) -> None:
    part = make_source(make_images())
    task = usual_task(part, options)
    assert (task.label, shortfall(part, task, options)) == (label, smaller)


def test_few_classes_are_fewer_ways() -> None:
    assert usual_task(make_source(make_images(classes=3, images=30))).label == "3-way 1-shot 15-query"
