"""Block and Conv4 give what the plain layers give: outputs, gradients and running statistics."""

from collections import OrderedDict

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor, nn

from fairshot.learners.layers.block import Block
from fairshot.learners.layers.fused_block import first_block, moments
from fairshot.learners.networks.conv4 import Conv4


class AmaxPool(nn.Module):
    """Pooling whose equal maxima share the gradient, as ours do; torch's own gives all of it to the first."""

    def forward(self, maps: Tensor) -> Tensor:
        return maps.unfold(2, 2, 2).unfold(3, 2, 2).amax((4, 5))


def plain(block: Block, pool: nn.Module) -> nn.Sequential:
    conv, norm = block.conv, block.norm
    layers = OrderedDict(
        conv=nn.Conv2d(conv.in_channels, conv.out_channels, 3, padding=1),
        norm=nn.BatchNorm2d(conv.out_channels),
        relu=nn.ReLU(),
        pool=pool,
    )
    made = nn.Sequential(layers).to(conv.weight.dtype).train(block.training)
    made.load_state_dict(block.state_dict())
    assert isinstance(norm, nn.BatchNorm2d)
    return made


def make_block(colours: int, channels: int, seed: int) -> Block:
    """A block in the midst of training: gains of both signs, and statistics that it has seen before."""
    torch.manual_seed(seed)
    block = Block(colours, channels).double()
    with torch.no_grad():
        for own in (block.norm.weight, block.norm.bias, block.norm.running_mean):
            assert own is not None
            own.normal_()
        assert block.norm.running_var is not None
        block.norm.running_var.uniform_(0.5, 2)
    return block


def assert_same_step(block: Block, other: nn.Sequential, images: Tensor) -> None:
    ours, theirs = images.detach().clone(), images.detach().clone().requires_grad_()
    ours.requires_grad_(images.requires_grad)
    pooled, expected = block(ours), other(theirs)
    torch.testing.assert_close(pooled, expected, rtol=1e-9, atol=1e-9)
    back = torch.randn_like(expected)
    (pooled * back).sum().backward()
    (expected * back).sum().backward()
    for name, parameter in other.named_parameters():
        own = block.get_parameter(name).grad
        if name == "conv.bias":
            assert own is None
            assert parameter.grad is not None
            assert parameter.grad.abs().max() < 1e-9
        else:
            torch.testing.assert_close(own, parameter.grad, rtol=1e-9, atol=1e-9)
    if images.requires_grad:
        torch.testing.assert_close(ours.grad, theirs.grad, rtol=1e-9, atol=1e-9)
    for name, buffer in other.named_buffers():
        torch.testing.assert_close(block.get_buffer(name), buffer, rtol=1e-9, atol=1e-9)


@given(
    images=st.integers(2, 6),
    colours=st.sampled_from([1, 3, 5, 64]),
    height=st.integers(2, 9),
    width=st.integers(2, 9),
    wanted=st.booleans(),
    seed=st.integers(0, 999),
)
def test_a_training_step_is_that_of_the_plain_layers(
    images: int, colours: int, height: int, width: int, wanted: bool, seed: int
) -> None:
    block = make_block(colours, 7, seed)
    shown = torch.randn(images, colours, height, width, dtype=torch.float64) * 3 + 1
    assert_same_step(block, plain(block, nn.MaxPool2d(2)), shown.requires_grad_(wanted))


@pytest.mark.parametrize("colours", [1, 3, 64])
@pytest.mark.parametrize("wanted", [False, True])
def test_equal_maxima_share_the_gradient(colours: int, wanted: bool) -> None:
    """Drawings on paper of +0.5: most windows are blank and all of their maxima are equal."""
    block = make_block(colours, 8, colours)
    images = torch.full((5, colours, 13, 12), 0.5, dtype=torch.float64)
    images[0, :, 3:9, 5] = images[1, :, 6, 2:10] = -0.5
    images[2, :, :, 7:] = -0.5
    assert_same_step(block, plain(block, AmaxPool()), images.requires_grad_(wanted))


@pytest.mark.parametrize("colours", [1, 5])
def test_without_gain_the_bias_is_left(colours: int) -> None:
    block = make_block(colours, 4, 0)
    nn.init.zeros_(block.norm.weight)
    pooled = block(torch.randn(3, colours, 6, 6, dtype=torch.float64))
    assert torch.equal(pooled, block.norm.bias.relu()[:, None, None].expand(3, 4, 3, 3))
    pooled.sum().backward()
    assert all(p.grad.isfinite().all() for name, p in block.named_parameters() if p.grad is not None)


def test_images_of_one_grey_have_no_spread() -> None:
    """Zeros give the bias alone; the variance is 0 and nothing is divided by it."""
    for colours in (1, 5):
        block = make_block(colours, 4, 1)
        pooled = block(torch.zeros(4, colours, 6, 6, dtype=torch.float64))
        expected = block.norm.bias.relu()[:, None, None].expand(4, 4, 3, 3)
        torch.testing.assert_close(pooled, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("colours", [1, 3, 64])
def test_evaluation_is_that_of_the_plain_layers(colours: int) -> None:
    block = make_block(colours, 16, 0).eval()
    images = torch.randn(5, colours, 11, 10, dtype=torch.float64, requires_grad=True)
    pooled, expected = block(images), plain(block, nn.MaxPool2d(2))(images)
    torch.testing.assert_close(pooled, expected, rtol=1e-9, atol=1e-9)
    gradients = [torch.autograd.grad(one.square().sum(), images)[0] for one in (pooled, expected)]
    torch.testing.assert_close(gradients[0], gradients[1], rtol=1e-9, atol=1e-9)
    with torch.no_grad():
        torch.testing.assert_close(block(images), expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(("colours", "size"), [(1, 28), (3, 33)])
def test_conv4_learns_and_embeds_like_plain_layers(colours: int, size: int) -> None:
    torch.manual_seed(0)
    network = Conv4(colours, size).double()
    other = nn.Sequential(*[plain(block, nn.MaxPool2d(2)) for block in network.children()], nn.Flatten())
    images = torch.randn(9, colours, size, size, dtype=torch.float64)
    for _ in range(3):
        gradients = []
        for one in (network, other):
            one.zero_grad()
            one(images).square().sum().backward()
            gradients.append([p.grad for name, p in one.named_parameters() if not name.endswith("conv.bias")])
            torch.optim.SGD(one.parameters(), lr=1e-3).step()
        torch.testing.assert_close(gradients[0], gradients[1], rtol=1e-8, atol=1e-8)
    torch.testing.assert_close(network.embed(images), other.eval()(images), rtol=1e-8, atol=1e-8)
    assert network.training


def test_embedding_takes_each_image_by_itself() -> None:
    torch.manual_seed(0)
    network, images = Conv4(1, 16).double(), torch.rand(230, 1, 16, 16, dtype=torch.float64)
    network(images)
    alone = torch.cat([network.embed(image[None]) for image in images[::23]])
    together = network.embed(images)
    torch.testing.assert_close(together[::23], alone, rtol=1e-9, atol=1e-9)
    assert not together.requires_grad
    assert network.embed(images[:0]).shape == (0, 64)


def test_single_precision_keeps_the_variance_of_maps_far_from_zero() -> None:
    maps = 1000 + torch.randn(40, 14, 14, 8, generator=torch.Generator().manual_seed(0))
    mean, variance = moments(maps)
    torch.testing.assert_close(mean, maps.double().mean((0, 1, 2)).float(), rtol=1e-7, atol=0)
    torch.testing.assert_close(variance, maps.double().var((0, 1, 2), correction=0).float(), rtol=1e-4, atol=0)


def test_statistics_of_the_first_layer_in_single_precision() -> None:
    """Almost blank paper of +0.5: the variance comes from a few pixels."""
    torch.manual_seed(0)
    images = torch.full((300, 1, 28, 28), 0.5)
    images[:, 0, 10, 3:20] = -0.5
    weight = torch.randn(64, 1, 3, 3)
    _, mean, variance = first_block(images, weight, torch.ones(64), torch.zeros(64), 1e-5)
    maps = nn.functional.conv2d(images.double(), weight.double(), padding=1)
    torch.testing.assert_close(mean.double(), maps.mean((0, 2, 3)), rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(variance.double(), maps.var((0, 2, 3), correction=0), rtol=1e-4, atol=1e-5)
