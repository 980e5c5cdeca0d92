"""The losses of a GAN, beside a plain loop with slopes by finite differences."""

from dataclasses import replace

import pytest
import torch

from fairshot.generators.dagan_un import DaganUn
from fairshot.generators.networks.dagan import Dagan
from fairshot.generators.training.adversarial import gradient_penalty
from fairshot.generators.training.lessons import Pairs
from fairshot.runtime.errors import FairshotError
from tests.generators.training.worlds import GENERATORS, PLAN, SMALL_GAN

SIZE = 16


@pytest.fixture
def network() -> Dagan:
    """In double precision and without dropout, so that differences are finite and exact."""
    torch.manual_seed(0)
    made = DaganUn(**SMALL_GAN).make_network(SIZE)
    assert isinstance(made, Dagan)
    return made.double().eval()


def slope(network: Dagan, given: torch.Tensor, between: torch.Tensor) -> float:
    """The length of the critic's slope along the second drawing of one pair."""
    total = 0.0
    for row in range(SIZE):
        for column in range(SIZE):
            scores = []
            for change in (1e-5, -1e-5):
                moved = between.clone()
                moved[0, 0, row, column] += change
                scores.append(network.critic(given, moved).item())
            total += ((scores[0] - scores[1]) / 2e-5) ** 2
    return total**0.5


def test_the_penalty_is_the_distance_of_slopes_from_one(network: Dagan) -> None:
    given, between = torch.rand(2, 2, 1, SIZE, SIZE, dtype=torch.float64)
    slopes = [slope(network, given[n : n + 1], between[n : n + 1]) for n in range(2)]
    expected = sum((one - 1) ** 2 for one in slopes) / 2
    assert gradient_penalty(network, given, between).item() == pytest.approx(expected, rel=1e-4)


def test_the_losses_of_both_networks(network: Dagan) -> None:
    generator, network = DaganUn(**SMALL_GAN), network.float()
    shown = Pairs(*torch.rand(2, 3, 1, SIZE, SIZE))
    torch.manual_seed(1)
    terms = generator.critic_losses(network, shown)
    torch.manual_seed(1)
    noise, share = torch.randn(3, 3), torch.rand(3, 1, 1, 1)
    distance = penalty = 0.0
    for n in range(3):
        one = slice(n, n + 1)
        drawn = network.draw(shown.given[one], noise[one]).detach()
        distance += (
            network.critic(shown.given[one], shown.wanted[one]) - network.critic(shown.given[one], drawn)
        ).item() / 3
        between = share[one] * shown.wanted[one] + (1 - share[one]) * drawn
        penalty += gradient_penalty(network, shown.given[one], between).item() / 3
    assert terms["distance"].item() == pytest.approx(distance, abs=1e-5)
    assert terms["penalty"].item() == pytest.approx(penalty, rel=1e-4)
    assert terms["critic"].item() == pytest.approx(10 * penalty - distance, rel=1e-4)
    torch.manual_seed(1)
    own = generator.losses(network, shown, PLAN, step=0)["loss"].item()
    scores = [
        network.critic(shown.given[n : n + 1], network.draw(shown.given[n : n + 1], noise[n : n + 1])) for n in range(3)
    ]
    assert own == pytest.approx(-sum(score.item() for score in scores) / 3, abs=1e-5)


def test_a_dropout_that_leaves_nothing_is_refused() -> None:
    with pytest.raises(FairshotError, match=r"^dropout of a generator is 1.0: it must be from 0 to below 1$"):
        DaganUn(dropout=1.0)


def test_each_optimiser_moves_its_own_network_and_the_critic_so_many_times() -> None:
    generator = replace(GENERATORS["dagan_un"], critic_steps=3)
    network = generator.make_network(SIZE)
    optimizers = generator.make_optimizers(network, PLAN)
    assert generator.batches == 3
    shown = [Pairs(*torch.rand(2, 2, 1, SIZE, SIZE)) for _ in range(3)]
    before = {name: value.clone() for name, value in network.named_parameters()}
    generator.advance(network, shown, optimizers, PLAN, step=0)
    steps = [{int(state["step"]) for state in one.state.values()} for one in optimizers.values()]
    assert steps == [{1}, {3}]
    assert [one.param_groups[0]["betas"] for one in optimizers.values()] == [(0.0, 0.9)] * 2
    moved = [name for name, value in network.named_parameters() if not torch.equal(value, before[name])]
    assert {name.partition(".")[0] for name in moved} == {"drawer", "critic"}
    assert all(parameter.requires_grad for parameter in network.parameters())
