"""DropBlock blanks squares of about the wanted area, in training only."""

import pytest
import torch
from torch.nn.functional import conv2d

from fairshot.learners.layers.drop_block import DropBlock
from fairshot.learners.networks.resnet12 import Resnet12


def expected_share(rate: float, side: int, size: int) -> float:
    """One minus the chance that no square covers a pixel, averaged over the pixels."""
    corners = size - side + 1
    chance = rate * size**2 / (side**2 * corners**2)
    covering = conv2d(torch.ones(1, 1, corners, corners), torch.ones(1, 1, side, side), padding=side - 1)
    return float((1 - (1 - chance) ** covering).mean())


@pytest.mark.parametrize(("rate", "side", "size"), [(0.1, 1, 2), (0.1, 2, 2), (0.1, 2, 8), (0.1, 5, 5), (0.3, 5, 10)])
def test_share_of_area(rate: float, side: int, size: int) -> None:
    torch.manual_seed(0)
    dropped = DropBlock(rate, side)(torch.ones(400, 40, size, size))
    share = float((dropped == 0).float().mean())
    assert share == pytest.approx(expected_share(rate, side, size), abs=0.01)
    assert 0.75 * rate < share <= rate + 0.01
    assert float(dropped.mean()) == pytest.approx(1, abs=1e-5)


def test_what_is_blank_is_squares() -> None:
    torch.manual_seed(0)
    blank = (DropBlock(0.1, 3)(torch.ones(50, 10, 9, 9)) == 0).float()
    inside = (conv2d(blank.flatten(0, 1)[:, None], torch.ones(1, 1, 3, 3)) == 9).float()
    squares = conv2d(inside, torch.ones(1, 1, 3, 3), padding=2) > 0
    assert torch.equal(squares.view(blank.shape), blank > 0)
    assert (blank[0, 0] != blank[0, 1]).any()


def test_everything_blank_gives_zeros() -> None:
    assert torch.equal(DropBlock(1.0, 2)(torch.ones(2, 3, 2, 2)), torch.zeros(2, 3, 2, 2))


def test_off_in_evaluation_and_without_a_rate() -> None:
    maps = torch.rand(2, 3, 5, 5)
    assert DropBlock(0.5, 2).eval()(maps) is maps
    assert DropBlock(0.0, 2)(maps) is maps


def test_resnet12_drops_in_training_only() -> None:
    torch.manual_seed(0)
    network, images = Resnet12(1, 32), torch.rand(4, 1, 32, 32)
    assert not torch.equal(network(images), network(images))
    assert torch.equal(network.embed(images), network.embed(images))
    steady = Resnet12(1, 32, dropout=0.0)
    assert torch.equal(steady(images), steady(images))
