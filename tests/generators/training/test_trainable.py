"""The losses of both autoencoders, beside sums over pixels one by one."""

import math
from dataclasses import replace

import pytest
import torch

from fairshot.generators.training.lessons import DrawingSets, Pairs
from tests.generators.training.worlds import GENERATORS, PLAN, SIZE


def bernoulli(logits: torch.Tensor, image: torch.Tensor) -> float:
    """Minus the logarithm of the likelihood, pixel by pixel."""
    total = 0.0
    for logit, ink in zip(logits.flatten().tolist(), image.flatten().tolist(), strict=True):
        chance = 1 / (1 + math.exp(-logit))
        total -= math.log(chance if ink == 1 else 1 - chance)
    return total


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


@pytest.mark.parametrize(
    ("step", "anneal", "excess", "beta"),
    [
        (0, True, 1, 3.0),
        (2, True, 1, 3.0),
        (3, True, 0.5, 3.0),
        (7, True, 0.25, 3.0),
        (0, False, 0, 3.0),
        (None, True, 0, 1.0),
    ],
)
def test_the_likelihood_of_a_set_counts_double_at_first(
    step: int | None, anneal: bool, excess: float, beta: float
) -> None:
    generator = replace(GENERATORS["neural_statistician"], beta=3.0, anneal=anneal)
    network = generator.make_network(SIZE).eval()
    drawings = (torch.rand(3, 2, 1, SIZE, SIZE) > 0.8).float()
    torch.manual_seed(0)
    terms = generator.losses(network, DrawingSets(drawings), PLAN, step=step)  # an epoch has 3 steps
    torch.manual_seed(0)
    torch.bernoulli(drawings)  # nothing is left to chance in what is black and white
    logits, of_sets, of_drawings = network(drawings)
    reconstruction = sum(bernoulli(logits[n], drawings.flatten(0, 1)[n]) for n in range(6)) / 6
    divergence = (sum(of_sets.tolist()) + sum(of_drawings.tolist())) / 6
    expected = (1 + excess) * reconstruction + beta * divergence / (1 + excess)
    assert terms["loss"].item() == pytest.approx(expected, rel=1e-4)
