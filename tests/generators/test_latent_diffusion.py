"""Losses of codes beside plain sums, and two trainings in one: autoencoder first, then frozen."""

import math
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import torch

from fairshot.generators.latent_diffusion import (
    REGULARISERS,
    LatentDiffusion,
    barlow_loss,
    denoising_loss,
    prototype_loss,
)
from fairshot.generators.networks.code_diffusion import CodeDiffusion
from fairshot.generators.training.course import train_generator
from fairshot.generators.training.lessons import Pairs
from fairshot.learners.fitted import load_state
from fairshot.learners.networks.network import count_parameters
from fairshot.learners.training.checkpoint import read_log
from fairshot.learners.training.resumable import Reports
from fairshot.runtime.errors import FairshotError
from tests.generators.training.worlds import GENERATORS, PLAN, SIZE, base, bernoulli, val

TINY = GENERATORS["latent_diffusion"]
assert isinstance(TINY, LatentDiffusion)


def make() -> CodeDiffusion:
    torch.manual_seed(0)
    network = TINY.make_network(SIZE)
    assert isinstance(network, CodeDiffusion)
    return network


def pairs(count: int = 5) -> Pairs:
    given, wanted = (torch.rand(2, count, 1, SIZE, SIZE) > 0.8).float()
    return Pairs(given, wanted)


@pytest.mark.parametrize("regulariser", REGULARISERS)
def test_the_autoencoder_learns_drawings_from_blurred_codes(regulariser: str) -> None:
    generator = replace(TINY, regulariser=regulariser, strength=2.5)
    network, shown = make(), pairs()
    torch.manual_seed(3)
    terms = generator.losses(network, shown, PLAN, step=0)
    torch.manual_seed(3)
    codes = network.autoencoder.encode(torch.cat([shown.given, shown.wanted]))
    exemplar_codes, codes = codes[:5], codes[5:]
    logits = network.autoencoder.decode(codes + 0.2 * torch.randn(5, 3))
    reconstruction = sum(bernoulli(logits[n], shown.wanted[n]) for n in range(5)) / 5
    regularisation = REGULARISERS[regulariser](exemplar_codes, codes).item()
    assert terms["reconstruction"].item() == pytest.approx(reconstruction, rel=1e-4)
    assert terms["regularisation"].item() == pytest.approx(regularisation, rel=1e-4)
    assert terms["loss"].item() == pytest.approx(reconstruction + 2.5 * regularisation, rel=1e-4)


def test_the_prototype_pulls_codes_to_the_exemplars() -> None:
    exemplar_codes, codes = torch.randn(2, 4, 3)
    expected = sum((float(codes[i, k]) - float(exemplar_codes[i, k])) ** 2 for i in range(4) for k in range(3)) / 4
    assert prototype_loss(exemplar_codes, codes).item() == pytest.approx(expected, rel=1e-5)
    assert prototype_loss(codes, codes).item() == 0


def test_barlows_loss_is_that_of_correlations() -> None:
    exemplar_codes, codes = torch.randn(2, 20, 3, dtype=torch.float64) * torch.tensor([1.0, 5.0, 0.2]) + 3
    expected = 0.0
    for i in range(3):
        for k in range(3):
            correlation = np.corrcoef(exemplar_codes[:, i], codes[:, k])[0, 1]
            expected += (1 - correlation) ** 2 if i == k else 0.005 * correlation**2
    assert barlow_loss(exemplar_codes, codes).item() == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize("alone", [0.0, 0.5])
def test_the_denoiser_learns_the_velocity(alone: float) -> None:
    network = make().eval()
    codes, exemplar_codes = torch.randn(2, 6, 3)
    torch.manual_seed(1)
    loss = denoising_loss(network, codes, exemplar_codes, alone=alone)
    torch.manual_seed(1)
    angles, noise, chances = math.pi / 2 * torch.rand(6), torch.randn(6, 3), torch.rand(6)
    expected = 0.0
    for n in range(6):
        angle = float(angles[n])
        noisy = math.cos(angle) * codes[n] + math.sin(angle) * noise[n]
        shown = network.denoiser.nobody if chances[n] < alone else exemplar_codes[n]
        predicted = network.denoiser(noisy[None], angles[n : n + 1], shown[None])[0].tolist()
        for k in range(3):
            velocity = math.cos(angle) * float(noise[n, k]) - math.sin(angle) * float(codes[n, k])
            expected += (predicted[k] - velocity) ** 2 / 18
    assert loss.item() == pytest.approx(expected, rel=1e-4)


def test_val_is_judged_by_the_denoiser_and_sees_no_chance_of_its_own() -> None:
    network, shown = make().eval(), pairs()
    torch.manual_seed(2)
    terms = TINY.losses(network, shown, PLAN, step=None)
    codes, exemplar_codes = map(network.autoencoder.encode, (shown.wanted, shown.given))
    torch.manual_seed(2)
    assert terms["loss"].item() == denoising_loss(network, codes, exemplar_codes, alone=0.0).item()
    reconstruction = sum(bernoulli(network.autoencoder.decode(codes)[n], shown.wanted[n]) for n in range(5)) / 5
    assert terms["reconstruction"].item() == pytest.approx(reconstruction, rel=1e-4)


def test_the_autoencoder_is_frozen_when_the_denoiser_begins(tmp_path: Path) -> None:
    plan = replace(PLAN, steps=10, epoch=1)
    train_generator(TINY, base(), val(), plan=plan, out=tmp_path)
    kept = [load_state(tmp_path / "snapshots" / f"epoch{number:04d}.safetensors") for number in range(1, 11)]
    for number, (before, after) in enumerate(pairwise(kept), 2):
        changed = {name.partition(".")[0] for name in after if not torch.equal(before[name], after[name])}
        assert changed == ({"autoencoder"} if number <= 5 else {"denoiser"})
    log = read_log(tmp_path)
    assert ["denoising" in row.terms for row in log] == [False] * 5 + [True] * 5
    assert ["reconstruction" in row.terms for row in log] == [True] * 5 + [False] * 5
    assert all("val_denoising" in row.terms for row in log)


def test_each_training_has_its_own_schedule_and_the_second_is_chosen_from() -> None:
    plan = replace(PLAN, steps=20, epoch=2, rate=1.0, cosine=True)
    rates = [TINY.rate_at(plan, step) for step in range(20)]
    assert rates == [0.5 * (1 + math.cos(math.pi * step / 10)) for step in range(10)] * 2
    assert [replace(TINY, autoencoding=share).first_choice(plan) for share in (0.01, 0.25, 0.999)] == [1, 5, 19]
    epochs: list = []
    plan = replace(PLAN, steps=20, epoch=2, rate=1e-3, cosine=True)
    trained = train_generator(TINY, base(), val(), plan=plan, reports=Reports(epoch=epochs.append))
    losses = [epoch.terms["val_loss"] for epoch in epochs]
    assert trained.record.epoch == 6 + int(np.argmin(losses[5:]))


def test_it_learns() -> None:
    epochs: list = []
    generator = LatentDiffusion(code=8, channels=4, width=32, blocks=1, sampling_steps=5, autoencoding=0.5)
    plan = replace(PLAN, steps=200, epoch=20, rate=1e-2, images=16)
    train_generator(generator, base(), val(), plan=plan, reports=Reports(epoch=epochs.append))
    assert epochs[4].terms["reconstruction"] < 0.8 * epochs[0].terms["reconstruction"]
    assert epochs[-1].terms["denoising"] < 0.8 * epochs[5].terms["denoising"]


@pytest.mark.parametrize(
    ("preset", "size", "parameters"), [("paper", 50, 3_591_361), ("laptop", 28, 2_325_473), ("quick", 28, 581_937)]
)
def test_presets_have_as_many_parameters_as_said(preset: str, size: int, parameters: int) -> None:
    generator = LatentDiffusion(**LatentDiffusion.preset(preset).settings)
    assert count_parameters(generator.make_network(size)) == parameters


def test_sampling_is_changed_without_another_training() -> None:
    trained = train_generator(TINY, base(), plan=PLAN)
    exemplars = np.random.default_rng(0).random((2, 1, 16, 16)).astype(np.float32)
    changed = trained.with_sampling({"guidance": 3.0, "sampling_steps": 5})
    fresh = replace(TINY, guidance=3.0, sampling_steps=5)
    assert changed.settings == fresh
    same = train_generator(fresh, base(), plan=PLAN)
    assert np.array_equal(changed.generate(exemplars, 2, 0), same.generate(exemplars, 2, 0))
    assert not np.array_equal(changed.generate(exemplars, 2, 0), trained.generate(exemplars, 2, 0))
    with pytest.raises(FairshotError) as caught:
        trained.with_sampling({"width": 3})
    assert str(caught.value) == (
        "width of latent_diffusion was decided in its training: guidance, sampling_steps can be changed without another one"
    )


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"guidance": -1.0}, "guidance of a generator is -1.0: it must be at least 0"),
        ({"sampling_steps": 0}, "sampling_steps of a generator is 0: it must be at least 1"),
        ({"autoencoding": 1.0}, "autoencoding of a generator is 1.0: it must be between 0 and 1"),
    ],
)
def test_settings_that_mean_nothing_are_refused(settings: dict, said: str) -> None:
    with pytest.raises(FairshotError) as caught:
        LatentDiffusion(**settings)
    assert str(caught.value) == said
