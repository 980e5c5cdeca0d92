"""Anybody's torch module in the place of a network."""

import pytest
import torch
from torch import nn

from fairshot.learners.foreign.modules import ModuleNetwork, as_architecture
from fairshot.learners.layers.layer import Tasks
from fairshot.learners.networks.network import Network
from fairshot.learners.solvers.descent import copies
from fairshot.learners.training.trainable import Model
from fairshot.runtime.errors import FairshotError

SHAPE = (1, 8)


def body() -> nn.Module:
    return nn.Sequential(nn.Conv2d(1, 3, 3), nn.BatchNorm2d(3), nn.Flatten(), nn.Linear(108, 5), nn.BatchNorm1d(5))


class Sized(nn.Module):
    def __init__(self, colours: int, size: int) -> None:
        super().__init__()
        self.linear = nn.Linear(colours * size * size, 4)

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        return self.linear(images.flatten(1))


class Optional(Sized):
    def __init__(self, colours: int = 3, size: int = 99) -> None:
        super().__init__(colours, size)


class Styled(Network):
    def __init__(self, colours: int, size: int) -> None:
        super().__init__()
        self.linear = nn.Linear(colours * size * size, 6)

    def forward(self, images: torch.Tensor, tasks: Tasks | None = None) -> torch.Tensor:
        return self.linear(images.flatten(1))


def sized(colours: int, size: int) -> nn.Module:
    return Sized(colours, size)


@pytest.mark.parametrize(
    ("target", "width"), [(Sized, 4), (Optional, 4), (sized, 4), (Styled, 6), (body, 5), (body(), 5)]
)
def test_modules_classes_and_functions_make_networks(target: object, width: int) -> None:
    architecture = as_architecture(target, "mine")
    assert architecture is not None
    network = architecture.make(SHAPE)
    assert isinstance(network, Network)
    assert (network.shape, network.width, network.training) == (SHAPE, width, True)
    assert network(torch.rand(7, 1, 8, 8)).shape == (7, width)


def test_lazy_layers_learn_their_size_from_the_image() -> None:
    def made() -> nn.Module:
        return nn.Sequential(nn.Flatten(), nn.LazyLinear(3), nn.LazyBatchNorm1d())

    network = as_architecture(made, "mine").make(SHAPE)
    known = torch.tensor([[True, True, False]])
    assert network(torch.rand(3, 1, 8, 8), Tasks(known)).shape == (3, 3)
    with pytest.raises(FairshotError) as caught:
        as_architecture(made(), "mine").make(SHAPE)
    assert str(caught.value) == "mine cannot be copied (ValueError): give its class, or a function that makes it"


def test_a_module_in_hand_is_copied() -> None:
    given = body()
    network = as_architecture(given, "mine").make(SHAPE)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.zero_()
    assert type(given[1]) is nn.BatchNorm2d
    assert all(bool(layer.weight.any()) for layer in (given[0], given[1], given[3]))


def test_without_tasks_it_is_the_module() -> None:
    torch.manual_seed(0)
    given, images = body(), torch.rand(6, 1, 8, 8)
    network = as_architecture(given, "mine").make(SHAPE)
    assert torch.equal(network(images), given(images))
    assert torch.equal(network.embed(images), given.eval()(images))


def test_with_tasks_batch_norm_sees_the_support_of_each_task_alone() -> None:
    torch.manual_seed(0)
    network, images = as_architecture(body(), "mine").make(SHAPE), torch.rand(10, 1, 8, 8)
    known = torch.tensor([[True, True, True, False, False]] * 2)
    before = network(images, Tasks(known))
    alone = torch.cat([network(images[half], Tasks(known[:1])) for half in (slice(0, 5), slice(5, 10))])
    torch.testing.assert_close(before, alone)
    changed = images.clone()
    changed[[3, 5, 8]] = 0  # a query of the first task, and of the second one of the support and a query
    after = network(changed, Tasks(known))
    torch.testing.assert_close(after[[0, 1, 2, 4]], before[[0, 1, 2, 4]])
    assert not torch.allclose(after[6], before[6])
    assert network.module[1].num_batches_tracked == 0
    with torch.no_grad():
        by_batch = network(images[:3])
    torch.testing.assert_close(network(images[:3], Tasks(torch.ones(1, 3, dtype=torch.bool))), by_batch)


def test_every_task_can_have_parameters_of_its_own() -> None:
    torch.manual_seed(0)
    network, images = as_architecture(body(), "mine").make(SHAPE), torch.rand(2, 5, 1, 8, 8)
    known = torch.tensor([[True, True, True, False, False]] * 2)
    both = {**copies(network, 2), "@weight": torch.zeros(2, 3, 5)}
    apart = torch.stack([network(images[task], Tasks(known[task][None])) for task in range(2)])
    torch.testing.assert_close(network.forward_each(both, images, known), apart)


def test_shared_weights_can_be_stored() -> None:
    linear = nn.Linear(64, 64)
    network = as_architecture(nn.Sequential(nn.Flatten(), linear, nn.ReLU(), linear), "mine").make(SHAPE)
    stored = Model(network, {}).storable()
    assert torch.equal(stored["network.module.1.weight"], stored["network.module.3.weight"])
    assert len({value.data_ptr() for value in stored.values()}) == len(stored) == 4


class OtherNorm(nn.BatchNorm2d):
    pass


class Many(nn.Module):
    def __init__(self, first: int, second: int, third: int) -> None:
        super().__init__()


class Broken(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        raise ValueError("no luck")


MISTAKES = {
    "mine is made from 3 arguments: a network is made without any, or from the number of channels and pixels of an "
    "image": Many,
    "mine cannot be made for images of 1x8x8 (ValueError: no luck)": Broken,
    "mine gave an int where a network was wanted: return a torch module from images to vectors": lambda: 3,
    "mine gave something of shape (2, 1, 8, 8) for 2 images: a network returns one vector of floats for each image": (
        lambda: Integers()
    ),
    "mine failed on images of 1 x 8 x 8 (RuntimeError: mat1 and mat2 shapes cannot be multiplied (16x8 and 9x3))": (
        lambda: nn.Linear(9, 3)
    ),
}


class Integers(nn.Module):
    def forward(self, images: torch.Tensor) -> torch.Tensor:
        return images.long()


@pytest.mark.parametrize("message", MISTAKES)
def test_mistakes_are_named(message: str) -> None:
    architecture = as_architecture(MISTAKES[message], "mine")
    assert architecture is not None
    with pytest.raises(FairshotError) as caught:
        architecture.make(SHAPE)
    assert str(caught.value) == message


def test_a_norm_that_cannot_heed_tasks_says_so() -> None:
    network = ModuleNetwork(nn.Sequential(OtherNorm(1), nn.Flatten()), "mine", SHAPE)
    network(torch.rand(2, 1, 8, 8))
    with pytest.raises(FairshotError) as caught:
        network(torch.rand(2, 1, 8, 8), Tasks(torch.ones(1, 2, dtype=torch.bool)))
    assert str(caught.value) == (
        "mine has an OtherNorm, which cannot take statistics from the support of a task: use torch's BatchNorm2d, or "
        "another norm"
    )


@pytest.mark.parametrize("target", [3, "conv4", lambda images: images, int])
def test_what_is_no_network_is_none(target: object) -> None:
    assert as_architecture(target, "mine") is None
