"""What every network weighs, what it gives back, and which images it refuses."""

import pytest
import torch

from fairshot.learners.networks.ccn import Ccn
from fairshot.learners.networks.conv4 import Conv4
from fairshot.learners.networks.network import Network, count_parameters
from fairshot.learners.networks.omniglot_eval import OmniglotEval
from fairshot.runtime.errors import FairshotError

SIZES = [
    (Conv4, 1, 28, 111_936, 64),
    (Conv4, 3, 84, 113_088, 1600),
    (OmniglotEval, 1, 24, 111_808, 64),
    (OmniglotEval, 1, 39, 111_808, 256),
    (Ccn, 1, 32, 961_152, 1024),
]


@pytest.mark.parametrize(("made", "colours", "size", "parameters", "width"), SIZES)
def test_parameters_and_width(made: type[Network], colours: int, size: int, parameters: int, width: int) -> None:
    network = made(colours, size)
    assert network.shape == (colours, size)
    assert network.width == width
    assert count_parameters(network) == parameters
    assert network.embed(torch.rand(2, colours, size, size)).shape == (2, width)


REFUSED = [
    (Conv4, 15, "conv4 halves an image four times and needs 16 pixels, here are 15: use --recipe 28"),
    (Ccn, 15, "ccn halves an image four times and needs 16 pixels, here are 15: use --recipe 28"),
    (
        OmniglotEval,
        23,
        "omniglot_eval halves an image three times, then needs 3 x 3, so 24 pixels in all, here are 23: use --recipe omniglot-eval",
    ),
]


@pytest.mark.parametrize(("made", "size", "message"), REFUSED)
def test_too_small_an_image_is_refused(made: type[Network], size: int, message: str) -> None:
    made(1, size + 1)
    with pytest.raises(FairshotError) as refused:
        made(1, size)
    assert str(refused.value) == message
