"""With tasks, batch norm sees the support of an image's own task and nothing else."""

import pytest
import torch
from torch import Tensor, nn
from torch.func import functional_call

from fairshot.learners.layers.layer import Tasks
from fairshot.learners.layers.norm import Norm
from fairshot.learners.networks.ccn import Ccn
from fairshot.learners.networks.conv4 import Conv4
from fairshot.learners.networks.critic import Critic
from fairshot.learners.networks.critic_trunk import CriticTrunk
from fairshot.learners.networks.koch import Koch
from fairshot.learners.networks.network import Network
from fairshot.learners.networks.omniglot_eval import OmniglotEval
from fairshot.learners.networks.resnet12 import Resnet12
from fairshot.learners.networks.resnet18 import Resnet18

KNOWN = torch.tensor([[True, True, True, False, False], [True, False, True, True, False]])
NETWORKS = [(Conv4, 17), (OmniglotEval, 24), (Ccn, 16), (Critic, 16), (CriticTrunk, 16), (Koch, 65)]
NETWORKS += [(Resnet12, 16), (Resnet18, 16)]


def make(made: type[Network], size: int) -> tuple[Network, Tensor]:
    """In evaluation mode, so that no dropout is in the way; what batch norm learned must not matter."""
    torch.manual_seed(0)
    network = made(1, size).double().eval()
    return network, torch.rand(10, 1, size, size, dtype=torch.float64)


def test_norm_with_all_images_as_support_is_batch_norm() -> None:
    torch.manual_seed(0)
    norm, maps = Norm(6).double(), torch.randn(8, 6, 5, 4, dtype=torch.float64) * 3 + 2
    nn.init.normal_(norm.weight)
    given = norm(maps, Tasks(torch.ones(1, 8, dtype=torch.bool)))
    torch.testing.assert_close(given, nn.BatchNorm2d.forward(norm, maps), rtol=1e-9, atol=1e-9)


def test_norm_by_hand() -> None:
    maps = torch.tensor([1.0, 3.0, 9.0, 10.0, 30.0, 50.0]).view(6, 1, 1, 1)
    known = torch.tensor([[True, True, False], [False, True, True]])
    given = Norm(1)(maps, Tasks(known)).flatten()
    torch.testing.assert_close(given, torch.tensor([-1.0, 1.0, 7.0, -3.0, -1.0, 1.0]), rtol=1e-4, atol=1e-4)


def test_tasks_teach_batch_norm_nothing() -> None:
    norm = Norm(3)
    norm(torch.randn(10, 3, 4, 4), Tasks(KNOWN))
    assert norm.running_mean is not None
    assert torch.equal(norm.running_mean, torch.zeros(3))
    assert norm.num_batches_tracked == 0


@pytest.mark.parametrize(("made", "size"), NETWORKS)
def test_only_the_own_support_matters(made: type[Network], size: int) -> None:
    network, images = make(made, size)
    with torch.no_grad():
        before = network(images, Tasks(KNOWN))
        changed = images.clone()
        changed[4] += 100  # a query, or padding, of the first task
        changed[5:] = torch.rand_like(changed[5:]) * 7
        after = network(changed, Tasks(KNOWN))
        torch.testing.assert_close(after[:4], before[:4], rtol=1e-9, atol=1e-9)
        assert (after[5:] - before[5:]).abs().max() > 1e-6
        changed = images.clone()
        changed[0] *= 0.5
        assert (network(changed, Tasks(KNOWN))[3] - before[3]).abs().max() > 1e-6


@pytest.mark.parametrize(("made", "size"), NETWORKS)
def test_running_statistics_and_mode_do_not_matter(made: type[Network], size: int) -> None:
    network, images = make(made, size)
    drops = [module for module in network.modules() if isinstance(module, nn.Dropout) or hasattr(module, "rate")]
    with torch.no_grad():
        before = network(images, Tasks(KNOWN))
        network.train()(images * 5)
        for module in drops:
            module.eval()
        torch.testing.assert_close(network(images, Tasks(KNOWN)), before, rtol=1e-9, atol=1e-9)


def test_block_with_tasks_is_each_task_in_training() -> None:
    """Where all images are support, a task is a batch of its own."""
    network, images = make(Conv4, 17)
    network.train()
    given = network(images, Tasks(torch.ones(2, 5, dtype=torch.bool)))
    apart = torch.cat([network(images[:5]), network(images[5:])])
    torch.testing.assert_close(given, apart, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize(("made", "size"), [(Conv4, 17), (OmniglotEval, 24), (Resnet12, 16), (Resnet18, 16)])
def test_forward_each_is_a_loop_over_tasks(made: type[Network], size: int) -> None:
    network, images = make(made, size)
    shown = images.view(2, 5, 1, size, size)
    noise = {name: 0.01 * torch.randn(2, *p.shape, dtype=p.dtype) for name, p in network.named_parameters()}
    parameters = {name: p.detach() + noise[name] for name, p in network.named_parameters()}
    given = network.forward_each(parameters, shown, KNOWN)
    for task in range(2):
        own = {name: values[task] for name, values in parameters.items()}
        expected = functional_call(network, own, (shown[task], Tasks(KNOWN[task][None])))
        torch.testing.assert_close(given[task], expected, rtol=1e-8, atol=1e-8)


def test_forward_each_can_be_derived_twice() -> None:
    network, images = make(Conv4, 16)
    shown = images.view(2, 5, 1, 16, 16)
    parameters = {
        name: p.detach().expand(2, *p.shape).clone().requires_grad_() for name, p in network.named_parameters()
    }
    loss = network.forward_each(parameters, shown, KNOWN).square().sum()
    own = parameters["block1.conv.weight"]
    (first,) = torch.autograd.grad(loss, own, create_graph=True)
    (second,) = torch.autograd.grad(first.square().sum(), own)
    assert second.abs().max() > 0
    assert second.isfinite().all()


def test_forward_each_drops_apart_in_training() -> None:
    network, images = make(Resnet12, 16)
    network.train()
    shown = images[:5].expand(2, 5, 1, 16, 16)
    parameters = {name: p.detach().expand(2, *p.shape) for name, p in network.named_parameters()}
    first, second = network.forward_each(parameters, shown, KNOWN[:1].expand(2, 5))
    assert not torch.equal(first, second)
