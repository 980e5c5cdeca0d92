"""The loss of glimpses, beside sums over pixels one by one."""

from dataclasses import replace

import pytest
import torch

from fairshot.generators.training.lessons import Pairs
from tests.generators.training.worlds import GENERATORS, PLAN, SIZE, bernoulli


@pytest.mark.parametrize(("step", "weight"), [(0, 2.5), (99, 2.5), (None, 1.0)])
def test_glimpses_cost_beta_in_training_and_one_on_val(step: int | None, weight: float) -> None:
    generator = replace(GENERATORS["vae_stn"], beta=2.5)
    network = generator.make_network(SIZE)
    given, wanted = (torch.rand(2, 3, 1, SIZE, SIZE) > 0.8).float()
    torch.manual_seed(0)
    terms = generator.losses(network, Pairs(given, wanted), PLAN, step=step)
    torch.manual_seed(0)
    canvas, divergences = network(wanted, given)
    reconstruction = sum(bernoulli(canvas[n], wanted[n]) for n in range(3)) / 3
    divergence = sum(divergences.tolist()) / 3
    assert terms["reconstruction"].item() == pytest.approx(reconstruction, rel=1e-4)
    assert terms["loss"].item() == pytest.approx(reconstruction + weight * divergence, rel=1e-4)
