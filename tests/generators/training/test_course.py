"""Training of generators: interrupted anywhere it ends with the same bytes, and it lowers its loss."""

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle
from pathlib import Path

import numpy as np
import pytest
import torch

from fairshot.generators.training import course
from fairshot.generators.training.course import count_plateaus, train_generator
from fairshot.generators.training.sampler import load_generator
from fairshot.learners.training import resumable
from fairshot.learners.training.checkpoint import read_log
from fairshot.learners.training.resumable import Reports
from fairshot.runtime.errors import FairshotError
from fairshot.sources.array import from_arrays
from tests.generators.training.worlds import GENERATORS, PLAN, base, val
from tests.learners.training.test_loop import Interrupted, files, interrupt_at


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def rows(folder: Path) -> list[tuple]:
    return [(row.epoch, row.step, row.loss, dict(row.terms), row.rate) for row in read_log(folder)]


# A checkpoint after every step, or after every epoch alone, by turns: what is kept does not hang on who is trained.
@pytest.mark.parametrize(("name", "seconds"), list(zip(GENERATORS, cycle([0.0, 1e9]), strict=False)))
def test_interrupted_anywhere_it_ends_with_the_same_bytes(
    name: str, seconds: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resumable, "CHECKPOINT_SECONDS", seconds)
    generator, plan = GENERATORS[name], replace(PLAN, augment="turns", plateau=1)
    whole = train_generator(generator, base(), val(), plan=plan, out=tmp_path / "whole")
    rng = random.Random(name)
    reports = interrupt_at({1, *rng.sample(range(2, 8), 2)}, {rng.randint(1, 3)})
    interruptions = 0
    while True:
        try:
            parts = train_generator(generator, base(), val(), plan=plan, out=tmp_path / "parts", reports=reports)
            break
        except Interrupted:
            interruptions += 1
    assert interruptions == 4
    assert files(tmp_path / "parts") == files(tmp_path / "whole")
    assert rows(tmp_path / "parts") == rows(tmp_path / "whole")
    exemplars = np.random.default_rng(0).random((2, 1, 16, 16)).astype(np.float32)
    kept = load_generator(tmp_path / "parts" / "weights.safetensors", generator)
    free = train_generator(generator, base(), val(), plan=plan)
    for other in (parts, kept, free):  # resumed, read back, and without a folder
        assert np.array_equal(other.generate(exemplars, 3, 5), whole.generate(exemplars, 3, 5))
    assert kept.record == whole.record
    assert kept.seen is not None
    assert kept.seen.overlap(base()) == (42, 7)


@pytest.mark.parametrize("name", ["vae_stn", "neural_statistician"])
def test_an_autoencoder_learns(name: str) -> None:
    epochs: list = []
    plan = replace(PLAN, steps=60, epoch=20, rate=1e-2)
    trained = train_generator(GENERATORS[name], base(), val(), plan=plan, reports=Reports(epoch=epochs.append))
    losses = [epoch.terms["val_loss"] for epoch in epochs]
    assert epochs[-1].terms["reconstruction"] < epochs[0].terms["reconstruction"]
    assert losses[-1] < 0.9 * 256 * np.log(2)  # of pixels that are guessed by halves
    assert trained.record.epoch == 1 + int(np.argmin(losses))
    assert epochs[-1].accuracy is None


def test_the_networks_of_a_gan_are_both_trained_and_one_is_kept(tmp_path: Path) -> None:
    started = train_generator(GENERATORS["dagan_un"], base(), plan=replace(PLAN, steps=1, rate=0.0))
    ended = train_generator(GENERATORS["dagan_un"], base(), val(), plan=PLAN, out=tmp_path)
    before, after = started.network.state_dict(), ended.network.state_dict()
    for part in ("drawer.last.2.weight", "critic.last.weight"):
        assert not torch.equal(before[part], after[part])
    assert ended.record.epoch == 3  # the last: a loss of two that fight says nothing
    assert not any("critic" in name for name in GENERATORS["dagan_un"].drawing_weights(ended.network))
    assert [sorted(row.terms) for row in read_log(tmp_path)] == [["distance", "penalty"]] * 3


def test_no_global_random_state_is_touched_or_heeded() -> None:
    drawn = []
    for seed in (1, 2):
        torch.manual_seed(seed)
        before = torch.get_rng_state()
        trained = train_generator(GENERATORS["dagan_un"], base(), plan=PLAN)
        drawn.append(trained.generate(np.zeros((1, 1, 16, 16), dtype=np.float32), 2, 0))
        assert torch.equal(torch.get_rng_state(), before)
    assert np.array_equal(*drawn)


@pytest.mark.parametrize("patience", [1, 2, 3])
def test_plateaus_are_torchs(patience: int) -> None:
    losses = np.random.default_rng(patience).random(40).cumsum()[::-1] * np.random.default_rng(1).random(40)
    parameter = torch.nn.Parameter(torch.zeros(1))
    optimizer = torch.optim.SGD([parameter], lr=1.0)
    schedule = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=patience)
    for number, loss in enumerate(losses.tolist()):
        schedule.step(loss)
        assert optimizer.param_groups[0]["lr"] == 0.5 ** count_plateaus(losses[: number + 1].tolist(), patience)
    assert count_plateaus(losses.tolist(), patience) > 1
    assert count_plateaus(losses.tolist(), 0) == 0


def test_a_plateau_halves_the_rate(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(course.GeneratorTraining, "judge", lambda self, val: resumable.Measured(terms={"loss": 1.0}))
    plan = replace(PLAN, steps=5, epoch=1, plateau=1)
    train_generator(GENERATORS["vae_stn"], base(), val(), plan=plan, out=tmp_path)
    assert [row.rate for row in read_log(tmp_path)] == [1e-3, 1e-3, 1e-3, 5e-4, 5e-4]


def test_photographs_are_refused() -> None:
    photos = from_arrays(np.zeros((4, 3, 8, 8), dtype=np.uint8), np.repeat([0, 1], 2), name="photos")
    with pytest.raises(FairshotError) as caught:
        train_generator(GENERATORS["vae_stn"], photos, plan=PLAN)
    assert str(caught.value) == (
        "photos has images of 3 x 8 x 8 under the recipe raw: generators want squares of one channel with values from "
        "0 to 1, use the recipe diversity-28"
    )
