"""What every network weighs, what it gives back, and which images it refuses."""

import pytest
import torch

from fairshot.learners.networks.ccn import Ccn
from fairshot.learners.networks.conv4 import Conv4
from fairshot.learners.networks.critic import Critic
from fairshot.learners.networks.critic_trunk import CriticTrunk
from fairshot.learners.networks.koch import Koch
from fairshot.learners.networks.network import Network, count_parameters
from fairshot.learners.networks.omniglot_eval import OmniglotEval
from fairshot.learners.networks.resnet12 import Resnet12
from fairshot.learners.networks.resnet18 import Resnet18, aligned_size
from fairshot.runtime.errors import FairshotError

SIZES = [
    (Conv4, 1, 28, 111_936, 64),
    (Conv4, 3, 84, 113_088, 1600),
    (OmniglotEval, 1, 24, 111_808, 64),
    (OmniglotEval, 1, 39, 111_808, 256),
    (Ccn, 1, 32, 961_152, 1024),
    (Critic, 1, 50, 292_544, 128),
    (CriticTrunk, 1, 50, 264_788 - 257 * 20, 256),
    (Koch, 1, 105, 38_948_800, 4096),
    (Resnet12, 3, 32, 12_424_320, 640),
    (Resnet12, 3, 84, 12_424_320, 640),
    (Resnet18, 3, 84, 11_176_512, 512),
]


@pytest.mark.parametrize(("made", "colours", "size", "parameters", "width"), SIZES)
def test_parameters_and_width(made: type[Network], colours: int, size: int, parameters: int, width: int) -> None:
    network = made(colours, size)
    assert network.shape == (colours, size)
    assert network.width == width
    assert count_parameters(network) == parameters
    assert network.embed(torch.rand(2, colours, size, size)).shape == (2, width)


REFUSED = [
    (Conv4, 15, "conv4 halves an image four times and needs 16 pixels, here are 15: use the recipe 28"),
    (Critic, 15, "conv4 halves an image four times and needs 16 pixels, here are 15: use the recipe 28"),
    (Ccn, 15, "ccn halves an image four times and needs 16 pixels, here are 15: use the recipe 28"),
    (
        OmniglotEval,
        23,
        "omniglot_eval halves an image three times, then needs 3 x 3, so 24 pixels in all, here are 23: use the recipe omniglot-eval",
    ),
    (Resnet12, 15, "resnet12 halves an image four times and needs 16 pixels, here are 15: use the recipe 84"),
    (
        Koch,
        64,
        "koch has kernels of 10, 7, 4 and 4 with halvings between and needs 65 pixels, here are 64: use the recipe omniglot-eval-koch",
    ),
]


@pytest.mark.parametrize(("made", "size", "message"), REFUSED)
def test_too_small_an_image_is_refused(made: type[Network], size: int, message: str) -> None:
    assert made(1, size + 1).embed(torch.rand(1, 1, size + 1, size + 1)).isfinite().all()
    with pytest.raises(FairshotError) as refused:
        made(1, size)
    assert str(refused.value) == message


@pytest.mark.parametrize(("drop_block", "pooled", "width"), [(5, False, 16_000), (2, True, 10_240), (5, True, 640)])
def test_resnet12_averages_over_windows_of_the_dropped_side(drop_block: int, pooled: bool, width: int) -> None:
    network = Resnet12(3, 84, drop_block=drop_block, pooled=pooled)
    assert network.width == width
    assert network.embed(torch.rand(1, 3, 84, 84)).shape == (1, width)


@pytest.mark.parametrize("drop_block", [0, 6])
def test_resnet12_refuses_squares_larger_than_its_map(drop_block: int) -> None:
    with pytest.raises(FairshotError) as refused:
        Resnet12(3, 84, drop_block=drop_block)
    assert str(refused.value) == f"resnet12 cannot drop squares of {drop_block}: 84 pixels leave 5, use 1 to 5"


def test_resnet18_sees_sizes_of_32_k_and_1() -> None:
    assert [aligned_size(size) for size in (28, 42, 84, 168, 224)] == [33, 65, 97, 193, 225]


STEPS = [
    (Conv4, 1, 16),
    (OmniglotEval, 1, 24),
    (Ccn, 1, 16),
    (Critic, 1, 16),
    (Koch, 1, 65),
    (Resnet12, 3, 32),
    (Resnet18, 3, 28),
]


@pytest.mark.parametrize(("made", "colours", "size"), STEPS)
def test_one_step_lowers_the_loss(made: type[Network], colours: int, size: int) -> None:
    torch.manual_seed(0)
    network, images = made(colours, size), torch.rand(6, colours, size, size)
    wanted = torch.randint(0, 2, (6, network.width)).float()
    state = torch.random.get_rng_state()
    before = (network(images) - wanted).square().mean()
    before.backward()
    for name, parameter in network.named_parameters():
        if parameter.grad is None:
            assert "block" in name
            assert name.endswith("conv.bias")
        else:
            assert parameter.grad.isfinite().all()
            assert "bias" in name or parameter.grad.abs().max() > 0
    torch.optim.SGD(network.parameters(), lr=0.01).step()
    torch.random.set_rng_state(state)
    assert (network(images) - wanted).square().mean() < before


@pytest.mark.parametrize(("made", "colours", "size"), STEPS)
def test_embedding_is_evaluation_and_leaves_the_network_alone(made: type[Network], colours: int, size: int) -> None:
    torch.manual_seed(0)
    network, images = made(colours, size).double(), torch.rand(5, colours, size, size, dtype=torch.float64)
    network(images)
    before = {name: values.clone() for name, values in network.state_dict().items()}
    given = network.embed(images)
    assert network.training
    assert not given.requires_grad
    assert all(torch.equal(values, before[name]) for name, values in network.state_dict().items())
    torch.testing.assert_close(given, network.eval()(images).detach(), rtol=1e-9, atol=1e-9)
    assert not torch.equal(given, network.train()(images))
