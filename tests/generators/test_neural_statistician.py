"""The loss of sets, beside sums over pixels one by one."""

from dataclasses import replace

import pytest
import torch

from fairshot.generators.training.lessons import DrawingSets
from tests.generators.training.worlds import GENERATORS, PLAN, SIZE, bernoulli


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
