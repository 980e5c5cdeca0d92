"""The Neural Statistician: as many parameters as printed, part by part, and a set does not heed another one."""

import numpy as np
import pytest
import torch

from fairshot.generators.networks.generative import gaussian_kl_between
from fairshot.generators.networks.statistician import Statistician, StatisticianSizes
from fairshot.learners.networks.network import count_parameters

TINY = StatisticianSizes(size=16, latent=2, context=3, hidden=5, width=2)


def test_as_many_parameters_as_in_the_table() -> None:
    network = Statistician(StatisticianSizes())
    assert count_parameters(network) == 7_479_623
    assert count_parameters(network.shared) == 1_958_400
    statistic = (network.projection, network.statistic, network.statistic_norm)
    assert sum(count_parameters(part) for part in statistic) == 1_445_122
    assert count_parameters(network.posterior) == 408_610
    assert count_parameters(network.prior) == 342_818
    assert count_parameters(network.decoder) == 3_324_673


@pytest.mark.parametrize("size", [16, 28, 36, 50, 64])
def test_drawings_are_as_large_as_exemplars(size: int) -> None:
    network = Statistician(StatisticianSizes(size=size, latent=2, context=3, hidden=5, width=2))
    assert network.draw(torch.rand(3, 1, size, size), torch.randn(3, 2)).shape == (3, 1, size, size)


def test_maps_have_the_published_sizes() -> None:
    network = Statistician(StatisticianSizes(width=1, hidden=4, context=4))
    maps = [torch.rand(2, 8, 4, 4)]
    for layer in network.decoder.layers:
        maps.append(layer(maps[-1]))
    assert [one.shape[-1] for one in maps] == [4, 4, 4, 8, 8, 8, 16, 16, 13, 26, 26, 25, 50, 50]


def make() -> Statistician:
    """With statistics of batch norm that are not those of the beginning, at rest."""
    torch.manual_seed(0)
    network = Statistician(TINY)
    for _ in range(3):
        network(torch.rand(3, 2, 1, 16, 16))
    return network.eval()


def test_all_sets_together_are_as_each_alone() -> None:
    network, sets = make(), torch.rand(3, 2, 1, 16, 16)
    torch.manual_seed(1)
    logits, of_sets, of_drawings = network(sets)
    torch.manual_seed(1)
    context_noise, noise = torch.randn(3, 3), torch.randn(6, 2)
    for number in range(3):
        described = [network.describe(drawing[None])[0] for drawing in sets[number]]
        mean, log_variance = network.summarise(torch.stack([sum(described) / 2])[:, None])
        context = mean + context_noise[number] * (log_variance / 2).exp()
        divergence = [
            0.5 * (m**2 + np.exp(v) - 1 - v) for m, v in zip(mean[0].tolist(), log_variance[0].tolist(), strict=True)
        ]
        assert of_sets[number].item() == pytest.approx(sum(divergence), rel=1e-4)
        for place in range(2):
            q_mean, q_log = network.posterior(context, described[place][None])
            p_mean, p_log = network.prior(context)
            row = 2 * number + place
            latent = q_mean + noise[row] * (q_log / 2).exp()
            torch.testing.assert_close(logits[row], network.decoder(latent, context)[0], rtol=1e-4, atol=1e-5)
            q, p = (torch.distributions.Normal(m, (v / 2).exp()) for m, v in ((q_mean, q_log), (p_mean, p_log)))
            expected = torch.distributions.kl_divergence(q, p).sum()
            torch.testing.assert_close(of_drawings[row], expected, rtol=1e-4, atol=1e-5)


def test_drawings_come_from_the_mean_of_a_set_of_one() -> None:
    network, exemplars, noise = make(), torch.rand(2, 1, 16, 16), torch.randn(2, 2)
    drawn = network.draw(exemplars, noise)
    for number in range(2):
        context = network.summarise(network.describe(exemplars[number : number + 1])[:, None])[0]
        mean, log_variance = network.prior(context)
        logits = network.decoder(mean + noise[number] * (log_variance / 2).exp(), context)
        torch.testing.assert_close(drawn[number], logits[0].sigmoid(), rtol=1e-4, atol=1e-5)


def test_equal_distributions_do_not_diverge() -> None:
    mean, log_variance = torch.randn(4, 3), torch.randn(4, 3)
    assert gaussian_kl_between(mean, log_variance, prior=(mean, log_variance)).abs().max() < 1e-6
