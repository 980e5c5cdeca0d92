"""The loss of an edit, beside sums over pixels one by one."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from fairshot.generators.networks.warp_vae import WarpVae, bending
from fairshot.generators.training.course import train_generator
from fairshot.generators.training.lessons import Pairs
from fairshot.generators.warp_editor import WarpEditor, square_loss
from fairshot.sources.array import from_arrays
from fairshot.sources.source import Source
from tests.generators.training.worlds import GENERATORS, PLAN, SIZE, bernoulli


@pytest.mark.parametrize(("step", "weight"), [(0, 2.5), (None, 1.0)])
def test_an_edit_costs_what_it_says(step: int | None, weight: float) -> None:
    generator = replace(GENERATORS["warp_editor"], beta=2.5, attraction=0.5, stiffness=3.0)
    network = generator.make_network(SIZE).eval()
    assert isinstance(network, WarpVae)
    given, wanted = (torch.rand(2, 3, 1, SIZE, SIZE) > 0.8).float()
    torch.manual_seed(0)
    terms = generator.losses(network, Pairs(given, wanted), PLAN, step=step)
    torch.manual_seed(0)
    mean, log_variance = network.encode(wanted, given)
    latents = mean + torch.randn(3, 2) * (log_variance / 2).exp()
    edit = network.edit(given, latents)
    logits = network.render(given, edit)
    reconstruction = sum(bernoulli(logits[n], wanted[n]) for n in range(3)) / 3
    divergence = 0.0
    for m, v in zip(mean.flatten().tolist(), log_variance.flatten().tolist(), strict=True):
        divergence += 0.5 * (m * m + np.exp(v) - 1 - v) / 3
    expected = reconstruction + weight * divergence
    expected += 0.5 * square_loss(logits.sigmoid(), wanted).mean().item() + 3.0 * bending(edit.shifts).mean().item()
    assert terms["divergence"].item() == pytest.approx(divergence, rel=1e-3, abs=1e-6)
    assert terms["loss"].item() == pytest.approx(expected, rel=1e-4)


def test_squares_are_compared_around_every_pixel() -> None:
    one, other = torch.rand(2, 1, 1, 12, 12)
    difference = (one - other)[0, 0].double().numpy()
    expected = 0.0
    for side in (3, 5, 9):
        padded = np.pad(difference, side // 2)
        for down in range(12):
            for across in range(12):
                expected += side * (padded[down : down + side, across : across + side].sum() / side**2) ** 2
    assert square_loss(one, other).item() == pytest.approx(expected, rel=1e-4)


def test_lines_that_do_not_touch_attract_each_other() -> None:
    near, far, wanted = torch.zeros(3, 1, 1, 12, 12)
    wanted[..., 5], near[..., 7], far[..., 9] = 1, 1, 1
    assert square_loss(near, wanted) < square_loss(far, wanted)


def test_what_reads_other_drawings_is_not_kept() -> None:
    generator = WarpEditor(channels=2)
    names = {*generator.drawing_weights(generator.make_network(16))}
    assert names
    assert not any(name.startswith("posterior") for name in names)


def shifted_bars() -> Source:
    """Characters that people draw at other places across, and never higher or lower."""
    rng = np.random.default_rng(0)
    drawings = np.zeros((12, 10, SIZE, SIZE), dtype=np.uint8)
    for character in range(12):
        pattern = np.zeros((8, 6), dtype=np.uint8)
        pattern[rng.integers(8)], pattern[:, rng.integers(6)] = 255, 255
        for number in range(10):
            across = rng.integers(1, 10)
            drawings[character, number, 4:12, across : across + 6] = pattern
    return from_arrays(drawings.reshape(-1, SIZE, SIZE), np.repeat(np.arange(12), 10), name="bars")


def test_bends_are_those_that_were_seen_in_training() -> None:
    plan = replace(PLAN, images=16, steps=150, epoch=150, rate=1e-2)
    trained = train_generator(WarpEditor(channels=4, latent=4, points=4), shifted_bars(), plan=plan)
    exemplar = shifted_bars().store[np.array([3])].astype(np.float32) / 255
    drawn = trained.generate(exemplar, 50, 0)[0, :, 0] > 0.5
    ink = drawn.sum((1, 2))
    places = np.stack([(drawn * grid).sum((1, 2)) / ink for grid in np.indices((SIZE, SIZE))])
    down, across = places[:, ink > 0].std(1)
    assert (ink > 0).mean() > 0.9
    assert across > 3 * down
    assert across > 1
