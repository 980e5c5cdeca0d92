"""Edits of exemplars beside pixel-by-pixel ones, and as many parameters as counted."""

import numpy as np
import pytest
import torch

from fairshot.generators.networks.warp_vae import Edit, WarpSizes, WarpVae, bending, find_places, nearness
from fairshot.learners.networks.network import count_parameters
from tests.generators.networks.test_attention_vae import sample

STILL = torch.tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])


def make(size: int = 8, **settings: int) -> WarpVae:
    torch.manual_seed(0)
    network = WarpVae(WarpSizes(size=size, latent=3, channels=2, points=4, **settings)).eval().requires_grad_(False)
    for last in (network.field[-1], network.whole[-1]):
        last.weight.normal_(0, 0.5)
        last.bias.normal_(0, 0.2)
    return network


def strokes(count: int = 3, size: int = 8) -> torch.Tensor:
    return (torch.rand(count, 1, size, size, generator=torch.Generator().manual_seed(1)) > 0.7).float()


def test_nearness_is_that_of_the_nearest_ink() -> None:
    exemplar = strokes(1)[0, 0].numpy()
    exemplar[:, 4:] = 0
    found = nearness(torch.from_numpy(exemplar)[None, None])[0, 0]
    ink = np.argwhere(exemplar)
    for place in np.ndindex(8, 8):
        near = ink[np.abs(ink - place).max(1) <= 2]
        expected = np.exp(-((near - place) ** 2).sum(1) / 2).max(initial=0)
        assert float(found[place]) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("cut", [0.65, 0.95])
def test_what_is_not_moved_is_the_exemplar_with_lines_of_any_thickness(cut: float) -> None:
    exemplars = torch.zeros(1, 1, 8, 8)
    exemplars[0, 0, 2], exemplars[0, 0, 5:7, 1:4] = 1, 1
    edit = Edit(torch.zeros(1, 2, 4, 4), STILL, torch.tensor([cut]))
    assert torch.equal((make().render(exemplars, edit) > 0).float(), exemplars)


def test_an_affine_edit_moves_as_pixel_by_pixel() -> None:
    network, exemplars = make(), strokes(1)
    pose = torch.tensor([[[0.9, 0.2, 0.1], [-0.3, 1.1, -0.2]]])
    drawn = network.render(exemplars, Edit(torch.zeros(1, 2, 4, 4), pose, torch.tensor([0.3])))
    expected = sample(nearness(exemplars)[0, 0].double().numpy(), pose[0].double().numpy(), 8)
    np.testing.assert_allclose(drawn[0, 0], 8 * (expected - 0.3), atol=1e-4)


def test_shifts_of_all_points_alike_shift_the_whole_and_corners_keep_theirs() -> None:
    shifts = torch.empty(1, 2, 4, 4)
    shifts[:, 0], shifts[:, 1] = 0.25, -0.5
    places = find_places(Edit(shifts, STILL, torch.zeros(1)), 8)
    straight = find_places(Edit(torch.zeros_like(shifts), STILL, torch.zeros(1)), 8)
    torch.testing.assert_close(places - straight, torch.tensor([0.25, -0.5]).expand(1, 8, 8, 2))
    shifts[0, :, 0, 0] = torch.tensor([0.4, 0.1])
    places = find_places(Edit(shifts, STILL, torch.zeros(1)), 8)
    torch.testing.assert_close((places - straight)[0, 0, 0], torch.tensor([0.4, 0.1]))


def test_the_whole_of_a_drawing_is_its_parts_one_by_one() -> None:
    """Layers as torch has them, but pixels, the map and the pen by hand."""
    network, exemplars, latents = make(), strokes(), torch.randn(3, 3)
    drawn = network.draw(exemplars, latents)
    for row in range(3):
        seen = torch.nn.functional.adaptive_avg_pool2d(network.reader(exemplars[row : row + 1]), 4)
        spread = (network.spread.weight @ latents[row] + network.spread.bias).view(1, 4, 4, 4)
        shifts = 0.5 * torch.tanh(network.field(torch.cat([seen, spread], 1)))
        numbers = torch.tanh(network.whole(torch.cat([seen.mean((2, 3))[0], latents[row]])))
        pose = np.eye(2, 3) + 0.5 * numbers[:6].view(2, 3).double().numpy()
        bent = torch.nn.functional.interpolate(shifts, size=(8, 8), mode="bicubic", align_corners=True)[0]
        near = nearness(exemplars)[row, 0].double().numpy()
        for down in range(8):
            for across in range(8):
                x, y = (2 * across + 1) / 8 - 1, (2 * down + 1) / 8 - 1
                place = pose @ [x, y, 1] + bent[:, down, across].double().numpy()
                here = sample(near, np.column_stack([np.zeros((2, 2)), place]), 1)[0, 0]
                logit = 8 * (here - 0.7 - 0.2 * float(numbers[6]))
                assert float(drawn[row, 0, down, across]) == pytest.approx(1 / (1 + np.exp(-logit)), abs=1e-4)


def test_an_untrained_network_nearly_draws_the_exemplar() -> None:
    torch.manual_seed(0)
    network, exemplars = WarpVae(WarpSizes(size=28)).eval(), strokes(4, 28)
    still = Edit(torch.zeros(4, 2, 7, 7), STILL.expand(4, 2, 3), torch.full((4,), 0.7))
    with torch.no_grad():
        drawn = network.draw(exemplars, torch.randn(4, 24))
        torch.testing.assert_close(drawn, network.render(exemplars, still).sigmoid(), atol=0.1, rtol=0)


def test_bending_is_nothing_for_what_is_straight_and_counted_point_by_point() -> None:
    line = torch.arange(4.0)
    straight = torch.stack([line.expand(4, 4), 2 - line[:, None].expand(4, 4)])[None]
    torch.testing.assert_close(bending(straight), torch.zeros(1), atol=1e-6, rtol=0)
    shifts = torch.randn(1, 2, 4, 4)
    expected = 0.0
    for plane in shifts[0].double().numpy():
        for lines in (plane, plane.T):
            for one in lines:
                expected += sum((one[i - 1] - 2 * one[i] + one[i + 1]) ** 2 for i in (1, 2))
    assert bending(shifts).item() == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize(("channels", "parameters"), [(32, 615_003), (16, 247_179)])
def test_as_many_parameters_as_counted_by_hand(channels: int, parameters: int) -> None:
    c, latent, points = channels, 24, 7
    posterior = 9 * (2 * c + 2 * c * c + 8 * c * c) + 2 * 7 * c + (4 * c * 16 + 1) * 128 + 129 * 2 * latent
    reader = 9 * (c + 2 * c * c) + 2 * 3 * c
    spread = (latent + 1) * 2 * c * points**2
    field = 9 * (4 * c) ** 2 + 4 * c + 9 * 4 * c * 2 + 2
    whole = (2 * c + latent + 1) * 64 + 65 * 7
    assert count_parameters(WarpVae(WarpSizes(channels=c))) == posterior + reader + spread + field + whole + 2
    assert count_parameters(WarpVae(WarpSizes(channels=c))) == parameters
