"""The autoencoder of codes: drawings of any size come back in the same size, and codes have one scale."""

import pytest
import torch

from fairshot.generators.networks.autoencoder import Autoencoder
from fairshot.learners.networks.network import count_parameters


@pytest.mark.parametrize("size", [9, 16, 28, 50])
def test_drawings_of_any_size(size: int) -> None:
    torch.manual_seed(0)
    network = Autoencoder(size, code=5, width=2)
    codes = network.encode((torch.rand(32, 1, size, size) > 0.7).float())
    assert codes.shape == (32, 5)
    assert network.decode(codes).shape == (32, 1, size, size)
    torch.testing.assert_close(codes.mean(0), torch.zeros(5), atol=1e-5, rtol=0)
    torch.testing.assert_close(codes.var(0, correction=0), torch.ones(5), atol=1e-2, rtol=0)


def test_as_many_parameters_as_counted_by_hand() -> None:
    channels, code, last = 16, 64, 4  # 28 pixels are 14, 7 and 4
    reading = 9 * (1 * 16 + 16 * 32 + 32 * 64) + 2 * (16 + 32 + 64) + (64 * last**2) * code + code
    writing = code * 64 * last**2 + 64 * last**2 + 9 * (64 * 32 + 32 * 16) + 2 * (32 + 16) + 9 * 16 + 1
    assert count_parameters(Autoencoder(28, code, channels)) == reading + writing == 178_849


def test_a_drawing_is_read_and_written_alone_when_not_in_training() -> None:
    torch.manual_seed(0)
    network = Autoencoder(9, code=4, width=2).eval()
    drawings = (torch.rand(6, 1, 9, 9) > 0.7).float()
    torch.testing.assert_close(network.encode(drawings)[2:3], network.encode(drawings[2:3]))
