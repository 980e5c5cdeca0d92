"""DA-GAN's networks: as many parameters as printed, part by part; padding as TensorFlow's."""

import pytest
import torch

from fairshot.generators.networks.dagan import Dagan, DaganSizes, Drawer, PairCritic
from fairshot.generators.networks.dense_blocks import SameConv
from fairshot.learners.networks.network import count_parameters


def test_the_network_with_skips_has_as_many_parameters_as_printed() -> None:
    drawer = Drawer(DaganSizes())
    assert count_parameters(drawer) == 6_813_857
    encoder = [drawer.encoder.first, *drawer.encoder.blocks]
    assert [count_parameters(part) for part in encoder] == [768, 222_346, 775_360, 1_180_928]
    assert count_parameters(drawer.noise) == 85_398
    assert [count_parameters(part) for part in drawer.blocks] == [913_536, 1_932_160, 889_024, 479_936, 259_712]
    assert count_parameters(drawer.last) == 74_689


def test_other_variants_have_as_many_as_counted() -> None:
    assert count_parameters(Drawer(DaganSizes(skips=False))) == 6_149_153
    assert count_parameters(Drawer(DaganSizes(layers=3))) == 10_592_225
    assert count_parameters(PairCritic(DaganSizes())) == 7_074_087


@pytest.mark.parametrize("skips", [True, False])
@pytest.mark.parametrize("size", [16, 28, 50])
def test_drawings_are_as_large_as_exemplars(size: int, skips: bool) -> None:
    network = Dagan(DaganSizes(size=size, width=2, layers=1, critic_layers=1, latent=3, skips=skips)).eval()
    drawn = network.draw(torch.rand(2, 1, size, size), torch.randn(2, 3))
    assert drawn.shape == (2, 1, size, size)
    assert network.critic(drawn, drawn).shape == (2,)
    assert all(name.startswith("drawer.") for name in network.drawing_weights())
    assert len(network.drawing_weights()) == len(network.drawer.state_dict())


def test_images_and_noise_of_others_do_not_matter() -> None:
    torch.manual_seed(0)
    network = Dagan(DaganSizes(size=16, width=4, latent=3)).eval()
    exemplars, noise = torch.rand(3, 1, 16, 16), torch.randn(3, 3)
    drawn, scores = network.draw(exemplars, noise), network.critic(exemplars, exemplars.flip(0))
    for number in range(3):
        one = slice(number, number + 1)
        torch.testing.assert_close(network.draw(exemplars[one], noise[one]), drawn[one])
        torch.testing.assert_close(network.critic(exemplars[one], exemplars.flip(0)[one]), scores[one])


@pytest.mark.parametrize(("size", "stride", "side"), [(5, 1, 5), (6, 2, 3), (7, 2, 4)])
def test_padding_is_tensorflows(size: int, stride: int, side: int) -> None:
    conv, image = SameConv(1, 1, stride), torch.rand(1, 1, size, size)
    made = conv(image)
    assert made.shape == (1, 1, side, side)
    before = ((side - 1) * stride + 3 - size) // 2  # an odd row comes last
    for row in range(side):
        for column in range(side):
            value = conv.bias[0].clone()
            for i in range(3):
                for j in range(3):
                    y, x = row * stride + i - before, column * stride + j - before
                    if 0 <= y < size and 0 <= x < size:
                        value = value + conv.weight[0, 0, i, j] * image[0, 0, y, x]
            torch.testing.assert_close(made[0, 0, row, column], value)
