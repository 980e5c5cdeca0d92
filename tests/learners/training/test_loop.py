"""Training: it learns, it repeats, and killed at any moment it ends with the same bytes."""

import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from fairshot.learners.classifiers.prototypes import Prototypes
from fairshot.learners.features import Features
from fairshot.learners.fitted import Fitted, load_fitted
from fairshot.learners.networks.network import make_network
from fairshot.learners.training import loop as training
from fairshot.learners.training import resumable
from fairshot.learners.training.checkpoint import read_log
from fairshot.learners.training.lessons import Lessons
from fairshot.learners.training.loop import Reports, train
from fairshot.learners.training.plan import Plan
from fairshot.learners.training.record import read_record
from fairshot.learners.training.trainable import Lesson, Loss, Model, Trainable
from fairshot.runtime.errors import FairshotError
from fairshot.sources.array import from_arrays
from fairshot.sources.source import Source
from fairshot.specs.data import find_part
from fairshot.specs.learners import find_learner
from fairshot.specs.registry import names
from fairshot.tasks.uniform import Uniform
from tests.conftest import make_vectors
from tests.paths import ROOT

TRAINABLE = [name for name in names("learners") if isinstance(find_learner(name), Trainable)]
TINY = Plan(way=3, shot=1, query=1, steps=9, epoch=3, rate=3e-3, val_way=3, val_episodes=8)


def world(classes: int = 10, images: int = 6, size: int = 16) -> Source:
    """Each class a random pattern whose pixels flip now and then."""
    rng = np.random.default_rng(0)
    labels = np.repeat(np.arange(classes), images)
    patterns = rng.random((classes, size, size)) < 0.3
    drawn = patterns[labels] ^ (rng.random((len(labels), size, size)) < 0.1)
    return from_arrays(drawn.astype(np.uint8) * 255, labels, name="patterns")


@pytest.fixture(scope="module")
def base() -> Source:
    return world().select_classes(np.arange(6), name="patterns/base")


@pytest.fixture(scope="module")
def val() -> Source:
    return world().select_classes(np.arange(6, 10), name="patterns/val")


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    """So that no two runs differ in it."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def weights(fitted: Fitted) -> dict[str, bytes]:
    return {name: value.numpy().tobytes() for name, value in fitted.model.state_dict().items()}


def files(folder: Path) -> dict[str, bytes]:
    """The weights and every snapshot; the rest tells seconds."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*.safetensors"))
        if path.name != "checkpoint.safetensors"
    }


def rows(folder: Path) -> list[tuple]:
    """The log without seconds."""
    return [(row.epoch, row.step, row.loss, row.accuracy, row.val_accuracy, row.rate) for row in read_log(folder)]


# --- it learns


@pytest.mark.parametrize("name", TRAINABLE)
def test_every_trainable_learns_something(name: str) -> None:
    glyphs = find_part("glyphs:alphabets=3,characters=4", recipe="16")
    # Two steps of descent in each of MAML's show the same as five, and are derived several times as fast.
    learner = find_learner({"maml": "maml:inner_steps=2"}.get(name, name))
    small = {"network": "conv4", "way": 4, "shot": 2, "query": 2, "tasks": 1, "images": 24, "epoch": 20, "task": ""}
    small["steps"] = 80 if name == "constrained" else 20  # most pairs are unlike, which is learned first
    plan = replace(learner.plan("laptop"), **small, supervised=10, optimizer="adam", rate=3e-3, cosine=False)
    untouched = train(learner, glyphs, plan=replace(plan, steps=1, rate=0.0))
    fitted = train(learner, glyphs, plan=plan)
    lessons = Lessons(glyphs, plan, 1)
    for kind in {learner.lesson(plan, step) for step in range(plan.steps)}:
        shown = [(lessons.episodes if kind == "episodes" else lessons.labelled)(step) for step in range(4)]
        before, after = (
            np.mean([learner.loss(one.model.train().requires_grad_(), lesson, plan).value.item() for lesson in shown])
            for one in (untouched, fitted)
        )
        assert after < 0.95 * before


def test_training_beats_no_training_on_strange_classes(base: Source, val: Source) -> None:
    plan = replace(TINY, steps=30, epoch=30, val_episodes=100, way=5, query=3)
    seen = []
    train(Prototypes(), base, val, plan=plan, reports=Reports(epoch=seen.append))
    assert seen[-1].val_accuracy > 0.6  # of three


@pytest.mark.parametrize("name", ["prototypes", "meta_ridge", "matching"])
def test_with_statistics_of_the_support_no_query_sees_another(name: str, base: Source, val: Source) -> None:
    plan = replace(TINY, statistics="support", steps=4, epoch=2, shot=2)
    fitted = train(find_learner(name), base, val, plan=plan)
    assert fitted.settings["trained"]["batch_norm"] == "support"
    episodes = Uniform(way=3, shot=2, query=2).sample(val, range(3), 0)
    features = Features(val, fitted)
    features.require(episodes)
    batch = features.batch(episodes)
    with torch.inference_mode():
        whole = fitted.classify(batch)
        alone = fitted.classify(replace(batch, query=batch.query[:, :1], query_mask=batch.query_mask[:, :1]))
    assert whole.shape == (3, 6, 3)
    assert whole.isfinite().all()
    torch.testing.assert_close(alone, whole[:, :1], rtol=1e-3, atol=1e-4)
    running = replace(fitted, model=Model(fitted.model.network, fitted.model.learned, "running").eval())
    again = Features(val, running)
    again.require(episodes)
    assert not torch.allclose(running.classify(again.batch(episodes)), whole, rtol=1e-3)


def moved(base: Source, clip: float) -> torch.Tensor:
    """How one step of plain descent at a rate of 1 changes all parameters."""
    plan = replace(TINY, optimizer="sgd", momentum=0.0, steps=1, epoch=1, clip=clip)
    ended = [train(Prototypes(), base, plan=replace(plan, rate=rate)) for rate in (0.0, 1.0)]
    start, end = (torch.cat([own.flatten() for own in fitted.model.parameters()]) for fitted in ended)
    return (end - start).detach()


def test_long_gradients_are_shortened_and_keep_their_direction(base: Source) -> None:
    whole = moved(base, 0.0)
    length = float(whole.norm())
    torch.testing.assert_close(moved(base, length / 4), whole / 4, rtol=1e-3, atol=1e-6)
    torch.testing.assert_close(moved(base, length * 4), whole)


# --- it repeats


def test_the_same_seed_gives_the_same_bytes_and_another_one_others(base: Source, val: Source, tmp_path: Path) -> None:
    first, again, other = (
        train(Prototypes(), base, val, plan=TINY, seed=seed, out=tmp_path / str(number))
        for number, seed in enumerate((5, 5, 6))
    )
    assert weights(first) == weights(again)
    assert files(tmp_path / "0") == files(tmp_path / "1")
    assert sorted(files(tmp_path / "0")) == [
        "snapshots/epoch0001.safetensors",
        "snapshots/epoch0002.safetensors",
        "snapshots/epoch0003.safetensors",
        "weights.safetensors",
    ]
    assert rows(tmp_path / "0") == rows(tmp_path / "1")
    assert weights(first)["network.block1.conv.weight"] != weights(other)["network.block1.conv.weight"]
    assert weights(train(Prototypes(), base, val, plan=TINY, seed=5)) == weights(first)  # with and without a folder


def test_no_global_random_state_is_touched_or_heeded(base: Source) -> None:
    results = []
    for seed in (1, 2):
        torch.manual_seed(seed)
        np.random.seed(seed)
        random.seed(seed)
        before = torch.get_rng_state(), np.random.get_state()[1].copy()
        results.append(weights(train(find_learner("baseline"), base, plan=replace(TINY, augment="drawing", steps=3))))
        assert torch.equal(torch.get_rng_state(), before[0])
        assert (np.random.get_state()[1] == before[1]).all()
        # The state of `random` itself cannot be told: beartype looks at random items of what it checks.
    assert results[0] == results[1]


def test_what_was_kept_is_what_was_trained(base: Source, val: Source, tmp_path: Path) -> None:
    learner = find_learner("meta_ridge")
    fitted = train(learner, base, val, plan=TINY, out=tmp_path)
    record, _ = read_record(tmp_path / "weights.safetensors")
    assert record == fitted.record
    loaded = load_fitted(tmp_path / "weights.safetensors", make_network("conv4", record.shape), learner, own=True)
    assert weights(loaded) == weights(fitted)
    assert loaded.identity == fitted.identity
    assert loaded.seen is not None
    assert loaded.seen.overlap(base) == (36, 6)
    assert loaded.seen.overlap(val) == (0, 0)
    assert (loaded.seen.chosen.tolist(), loaded.seen.chosen_among(val)) == ([6, 7, 8, 9], 4)


# --- it goes on


class Interrupted(Exception):
    """Whatever may happen in the midst of training."""


def interrupt_at(steps: set[int], epochs: set[int]) -> Reports:
    """Raises once at each of these."""

    def at(what: str, wanted: set[int]) -> Callable:
        def report(moment) -> None:
            number = getattr(moment, what)
            if number in wanted:
                wanted.remove(number)
                raise Interrupted(f"{what} {number}")

        return report

    return Reports(step=at("step", steps), epoch=at("epoch", epochs))


PLANS = {
    "prototypes": replace(TINY, steps=11, augment="drawing"),
    "meta_baseline": replace(TINY, steps=11, supervised=6, images=8),
    "meta_svm": replace(TINY, steps=8, optimizer="sgd", nesterov=True, weight_decay=5e-4, rate=0.05),
}


@pytest.mark.parametrize("seconds", [0.0, 1e9])  # a checkpoint after every step, or after every epoch alone
@pytest.mark.parametrize("name", PLANS)
def test_interrupted_anywhere_it_ends_with_the_same_bytes(
    name: str, seconds: float, base: Source, val: Source, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resumable, "CHECKPOINT_SECONDS", seconds)
    learner, plan = find_learner(name), PLANS[name]
    undisturbed = train(learner, base, val, plan=plan, out=tmp_path / "whole")
    rng = random.Random(name)
    reports = interrupt_at({1, *rng.sample(range(2, plan.steps + 1), 3)}, {rng.randint(1, plan.epochs)})
    interruptions = 0
    while True:
        try:
            resumed = train(learner, base, val, plan=plan, out=tmp_path / "parts", reports=reports)
            break
        except Interrupted:
            interruptions += 1
    assert interruptions == 5
    assert files(tmp_path / "parts") == files(tmp_path / "whole")
    assert rows(tmp_path / "parts") == rows(tmp_path / "whole")
    assert weights(resumed) == weights(undisturbed)
    assert not list(tmp_path.rglob(".unfinished-*"))


def test_a_finished_training_is_not_done_again(base: Source, val: Source, tmp_path: Path) -> None:
    first = train(Prototypes(), base, val, plan=TINY, out=tmp_path)
    steps: list = []
    again = train(Prototypes(), base, val, plan=TINY, out=tmp_path, reports=Reports(step=steps.append))
    assert steps == []
    assert weights(again) == weights(first)


def test_a_lost_log_is_no_loss(base: Source, val: Source, tmp_path: Path) -> None:
    undisturbed = train(Prototypes(), base, val, plan=TINY, out=tmp_path / "whole")
    with pytest.raises(Interrupted):
        train(Prototypes(), base, val, plan=TINY, out=tmp_path / "parts", reports=interrupt_at({8}, set()))
    (tmp_path / "parts" / "log.csv").unlink()
    assert weights(train(Prototypes(), base, val, plan=TINY, out=tmp_path / "parts")) == weights(undisturbed)
    assert rows(tmp_path / "parts") == rows(tmp_path / "whole")


def test_a_lost_snapshot_is_named(base: Source, tmp_path: Path) -> None:
    train(Prototypes(), base, plan=TINY, out=tmp_path)
    path = tmp_path / "snapshots" / "epoch0003.safetensors"
    path.unlink()
    with pytest.raises(FairshotError) as caught:
        train(Prototypes(), base, plan=TINY, out=tmp_path)
    assert str(caught.value) == f"{path} is gone or damaged: remove {tmp_path} to train anew"


KILLED = """
import json, os, random, signal, sys, time
from pathlib import Path

import torch
import torch._dynamo  # an optimiser imports it: once here instead of once in every child

torch.set_num_threads(1)
from safetensors import safe_open

from fairshot.learners.training import loop as training
from fairshot.learners.training import resumable
from fairshot.learners.training.checkpoint import CHECKPOINT
from fairshot.learners.classifiers.prototypes import Prototypes
from fairshot.learners.training.plan import Plan
from tests.learners.training.test_loop import world

resumable.CHECKPOINT_SECONDS = 0.0
STEPS, KILLS = 80, 5
plan = Plan(way=3, shot=1, query=1, steps=STEPS, epoch=16, rate=3e-3, val_way=3, val_episodes=4, augment="drawing")
source = world()
base, val = source.select_classes(source.classes[:6]), source.select_classes(source.classes[6:])


def started(folder):
    child = os.fork()
    if child:
        return child
    training.train(Prototypes(), base, val, plan=plan, out=folder)
    os._exit(0)


def step(folder):
    try:
        with safe_open(folder / CHECKPOINT, "np") as file:
            return json.loads(file.metadata()["state"])["step"]
    except Exception:
        return 0


whole, parts = (Path(sys.argv[1]) / name for name in ("whole", "parts"))
rng, killed = random.Random(0), []
for kill in range(KILLS):
    child, wanted = started(parts), step(parts) + rng.randint(1, 5)
    while step(parts) < wanted and not os.waitpid(child, os.WNOHANG)[0]:
        time.sleep(0.005)
    time.sleep(rng.random() * 0.02)
    os.kill(child, 9)
    killed.append((os.waitpid(child, 0)[1], step(parts)))
ends = [os.waitpid(started(folder), 0)[1] for folder in (parts, whole)]
print(json.dumps({"killed": killed, "ends": ends, "steps": STEPS}))
"""


def test_killed_five_times_it_ends_with_the_same_bytes(tmp_path: Path) -> None:
    script = tmp_path / "killed.py"
    script.write_text(KILLED)
    root = ROOT
    done = subprocess.run(
        [sys.executable, script, tmp_path],
        capture_output=True,
        text=True,
        timeout=300,
        cwd=root,
        check=False,
        env={**os.environ, "PYTHONPATH": f"{root}:{root / 'src'}", "OMP_NUM_THREADS": "1"},
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    assert [status for status, _ in told["killed"]] == [signal.SIGKILL] * 5
    steps = [step for _, step in told["killed"]]
    assert steps == sorted(set(steps))  # every time it got further,
    assert steps[-1] < told["steps"]  # and was in the midst of it
    assert told["ends"] == [0, 0]
    assert len(files(tmp_path / "whole")) == 6
    assert files(tmp_path / "parts") == files(tmp_path / "whole")
    assert rows(tmp_path / "parts") == rows(tmp_path / "whole")


# --- it chooses


@pytest.fixture
def accuracies(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """What val says, epoch by epoch."""
    said = [0.3, 0.6, 0.5, 0.6, 0.2, 0.9]
    told = iter(said)
    monkeypatch.setattr(training.Training, "_validate", lambda self, val: next(told))
    return said


def test_the_best_epoch_on_val_is_chosen_the_earliest_of_equals(
    base: Source, val: Source, tmp_path: Path, accuracies: list[float]
) -> None:
    plan = replace(TINY, steps=10, epoch=2)
    fitted = train(Prototypes(), base, val, plan=plan, out=tmp_path)
    assert [row.val_accuracy for row in read_log(tmp_path)] == accuracies[:5]
    assert fitted.record.epoch == 2
    chosen = tmp_path / "snapshots" / "epoch0002.safetensors"
    assert (tmp_path / "weights.safetensors").read_bytes() == chosen.read_bytes()


@pytest.mark.parametrize("folder", [True, False])
def test_patience_ends_a_training_before_its_time(
    base: Source, val: Source, tmp_path: Path, accuracies: list[float], folder: bool
) -> None:
    plan, steps, epochs = replace(TINY, steps=12, epoch=2, patience=2), [], []
    reports = Reports(step=lambda moment: steps.append(moment.step), epoch=epochs.append)
    out = tmp_path if folder else None
    fitted = train(Prototypes(), base, val, plan=plan, out=out, reports=reports)
    assert [epoch.val_accuracy for epoch in epochs] == accuracies[:4]
    assert steps == list(range(1, 9))
    assert fitted.record.epoch == 2
    if folder:  # asked again, it does not go on
        again = train(Prototypes(), base, val, plan=plan, out=out, reports=reports)
        assert len(steps) == 8
        assert weights(again) == weights(fitted)


def test_without_val_the_last_snapshot_is_chosen(base: Source, val: Source, tmp_path: Path) -> None:
    assert train(Prototypes(), base, plan=replace(TINY, patience=1)).record.epoch == 3
    both = train(Prototypes(), base, val, plan=replace(TINY, parts="base+val"), out=tmp_path)
    assert both.record.epoch == 3
    assert both.record.source == "patterns/base and patterns/val"
    assert both.record.classes == 10
    assert [row.val_accuracy for row in read_log(tmp_path)] == [None, None, None]
    assert both.seen is not None
    assert both.seen.overlap(val) == (24, 4)
    assert both.seen.chosen_among(val) == 0


# --- it refuses


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"seed": 1}, "seed (0, not 1)"),
        ({"plan": replace(TINY, rate=0.5)}, "rate (0.003, not 0.5)"),
        ({"learner": Prototypes(metric="cosine")}, "metric (l2, not cosine)"),
        ({"learner": find_learner("matching")}, "learner (prototypes, not matching)"),
    ],
)
def test_a_folder_with_another_training_is_refused(changed: dict, said: str, base: Source, tmp_path: Path) -> None:
    train(Prototypes(), base, plan=TINY, out=tmp_path)
    before = files(tmp_path)
    asked = {"learner": Prototypes(), "plan": TINY, "seed": 0} | changed
    with pytest.raises(FairshotError) as caught:
        train(asked["learner"], base, plan=asked["plan"], seed=asked["seed"], out=tmp_path)
    assert str(caught.value) == f"{tmp_path} holds a training with another {said}: choose another folder, or remove it"
    assert files(tmp_path) == before


def test_a_folder_with_other_images_or_another_val_part_is_refused(base: Source, val: Source, tmp_path: Path) -> None:
    train(Prototypes(), base, plan=TINY, out=tmp_path)
    fewer = base.select(np.arange(len(base)) % 6 < 5)
    with pytest.raises(FairshotError) as caught:
        train(Prototypes(), fewer, plan=TINY, out=tmp_path)
    assert str(caught.value) == (
        f"{tmp_path} holds a training with another data ({base.fingerprint}, not {fewer.fingerprint}): choose another "
        "folder, or remove it"
    )
    with pytest.raises(FairshotError) as caught:
        train(Prototypes(), base, val, plan=TINY, out=tmp_path)
    both = f"{base.fingerprint} {val.fingerprint}"
    assert str(caught.value) == (
        f"{tmp_path} holds a training with another data ({base.fingerprint}, not {both}): choose another folder, or remove it"
    )


def test_weights_to_begin_with_may_lie_elsewhere_by_now_but_must_be_the_same(base: Source, tmp_path: Path) -> None:
    first, moved, other, run = (tmp_path / name for name in ("first", "moved", "other", "run"))
    for folder, seed in ((first, 0), (other, 1)):
        train(Prototypes(), base, plan=TINY, seed=seed, out=folder)
    train(Prototypes(), base, plan=replace(TINY, begin=str(first)), out=run)
    before = files(run)
    first.rename(moved)
    train(Prototypes(), base, plan=replace(TINY, begin=str(moved)), out=run)
    assert files(run) == before
    with pytest.raises(FairshotError) as caught:
        train(Prototypes(), base, plan=replace(TINY, begin=str(other)), out=run)
    assert str(caught.value) == (
        f"{run} holds a training with another begin ({first}, not {other}): choose another folder, or remove it"
    )


@pytest.mark.parametrize("damage", [b"", b"nonsense", "half"])
def test_a_damaged_checkpoint_is_named(damage: bytes | str, base: Source, tmp_path: Path) -> None:
    train(Prototypes(), base, plan=TINY, out=tmp_path)
    path = tmp_path / "checkpoint.safetensors"
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2] if isinstance(damage, str) else damage)
    with pytest.raises(FairshotError) as caught:
        train(Prototypes(), base, plan=TINY, out=tmp_path)
    assert str(caught.value) == f"{path} is gone or damaged: remove it to train from the beginning"
    path.unlink()
    before = files(tmp_path)
    train(Prototypes(), base, plan=TINY, out=tmp_path)
    assert files(tmp_path) == before


def test_a_setting_that_cannot_be_read_is_named(base: Source, tmp_path: Path) -> None:
    (tmp_path / "training.json").write_text("{")
    with pytest.raises(FairshotError) as caught:
        train(Prototypes(), base, plan=TINY, out=tmp_path)
    path = tmp_path / "training.json"
    assert str(caught.value) == f"{path} cannot be read: remove {tmp_path} or choose another folder"


def test_feature_vectors_are_refused() -> None:
    with pytest.raises(FairshotError) as caught:
        train(Prototypes(), make_vectors())
    assert str(caught.value) == "vectors holds feature vectors, and a network is trained on images"


class Exploding(Prototypes):
    """Its loss is no number from the third step on."""

    def loss(self, model: Model, lesson: Lesson, plan: Plan) -> Loss:
        found = super().loss(model, lesson, plan)
        return replace(found, value=found.value * (torch.nan if lesson.step == 2 else 1))


def test_a_loss_that_is_no_number_ends_the_training(base: Source, tmp_path: Path) -> None:
    with pytest.raises(FairshotError) as caught:
        train(Exploding(), base, plan=replace(TINY, epoch=2), out=tmp_path)
    assert str(caught.value) == "the loss is nan at step 3: lower the rate, such as rate=0.0003"
    assert sorted(files(tmp_path)) == ["snapshots/epoch0001.safetensors"]
