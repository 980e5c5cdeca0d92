"""The block with weights of each task's own, against torch's own layers, also in its second derivatives."""

import pytest
import torch
from torch import Tensor
from torch.autograd import gradcheck, gradgradcheck

from fairshot.learners.layers.task_convolution import Convolved, ToKernels, ToMaps
from fairshot.learners.layers.task_pooling import Chosen, Pooled, ToChosen, ToPooled
from fairshot.learners.networks.conv4 import Conv4
from fairshot.learners.networks.network import Network

PREFIX = torch.tensor([[True, True, True, True, False, False]] * 3)
PADDED = torch.tensor([[True, True, True, False, False], [True, True, False, False, False]])
MIXED = torch.tensor([[True, False, True, True, False], [False, True, True, False, True]])


def rand(*shape: int) -> Tensor:
    generator = torch.Generator().manual_seed(sum(shape))
    return torch.rand(*shape, dtype=torch.float64, generator=generator)


def wanted(*shape: int) -> Tensor:
    return (rand(*shape) - 0.5).requires_grad_()


@pytest.mark.parametrize("function", [Convolved, ToMaps, ToKernels])
def test_convolutions_against_finite_differences(function: type[torch.autograd.Function]) -> None:
    maps, kernels = wanted(2, 2, 4, 3, 2), wanted(2, 3, 2, 3, 3)
    output = wanted(2, 2, 4, 3, 3)
    inputs = {Convolved: (maps, kernels), ToMaps: (output, kernels), ToKernels: (maps, output)}[function]
    assert gradcheck(function.apply, inputs)
    assert gradgradcheck(function.apply, inputs, fast_mode=True)


def test_pooling_and_windows_against_finite_differences() -> None:
    shares = rand(4, 2, 2, 2, 1, 3)
    assert gradgradcheck(lambda maps: Pooled.apply(maps, shares), (wanted(2, 2, 5, 3, 3),), fast_mode=True)
    assert gradgradcheck(
        lambda output: ToPooled.apply(output, shares, (5, 3)), (wanted(2, 2, 2, 1, 3),), fast_mode=True
    )
    windows, share = rand(2, 7, 5), rand(2, 7, 4, 3)
    assert gradgradcheck(lambda kernels: Chosen.apply(windows, kernels, share)[0], (wanted(2, 5, 12),), fast_mode=True)
    assert gradgradcheck(lambda output: ToChosen.apply(windows, output, share), (wanted(2, 7, 3),), fast_mode=True)


def parameters_of(network: Network, tasks: int) -> dict[str, Tensor]:
    """Different for each task; some gains are negative, so that pooling has to look for the smallest."""
    torch.manual_seed(1)
    made = {}
    for name, own in network.named_parameters():
        noise = 0.5 * torch.randn(tasks, *own.shape, dtype=torch.float64) if "norm" in name else 0
        made[name] = (own.detach() + noise).expand(tasks, *own.shape).clone().requires_grad_()
    assert (made["block2.norm.weight"] < 0).any()
    return made


@pytest.mark.parametrize("support", [PREFIX, PADDED, MIXED], ids=["prefix", "padded", "mixed"])
@pytest.mark.parametrize(("colours", "size"), [(1, 16), (3, 19), (1, 33)])
def test_conv4_with_weights_for_each_task_is_any_networks_way(colours: int, size: int, support: Tensor) -> None:
    torch.manual_seed(0)
    network = Conv4(colours, size).double()
    tasks, count = support.shape
    parameters, images = parameters_of(network, tasks), rand(tasks, count, colours, size, size)
    used = [own for name, own in parameters.items() if "conv.bias" not in name]
    found = []
    for way in (Conv4.forward_each, Network.forward_each):
        vectors = way(network, parameters, images, support)
        first = torch.autograd.grad((vectors * (1 + vectors)).sum(), used, create_graph=True)
        second = torch.autograd.grad(sum((own * own).sum() for own in first), used)
        found.append([vectors, *first, *second])
    for ours, plain in zip(*found, strict=True):
        torch.testing.assert_close(ours, plain, rtol=1e-9, atol=1e-9 * float(plain.detach().abs().max()))


def test_equal_pixels_share_what_comes_back() -> None:
    """Blank paper gives four equal pixels in every window."""
    network = Conv4(1, 16)
    parameters = {name: own.detach()[None].clone().requires_grad_() for name, own in network.named_parameters()}
    images = torch.zeros(1, 4, 1, 16, 16)
    images[0, 1, 0, 3:9, 5] = 1
    known = torch.ones(1, 4, dtype=torch.bool)
    used = [own for name, own in parameters.items() if "conv.bias" not in name]
    ours, plain = (
        torch.autograd.grad(way(network, parameters, images, known).square().sum(), used)
        for way in (Conv4.forward_each, Network.forward_each)
    )
    for one, other in zip(ours, plain, strict=True):
        assert one.isfinite().all()
        torch.testing.assert_close(one.norm(), other.norm(), rtol=0.05, atol=1e-3)
