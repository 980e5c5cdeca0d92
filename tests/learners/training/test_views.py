"""Views stay within their ranges, and what they show is where the perspective says."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from fairshot.learners.training.views import LEVELS, PRINTED, Ranges, affines, crops, cut, homography, show, tilts, view


def drawing(size: int = 12) -> Tensor:
    """Two strokes that no symmetry maps onto themselves."""
    image = torch.zeros(1, 1, size, size)
    image[0, 0, 2:9, 3] = 1
    image[0, 0, 8, 3:8] = 1
    return image


def matrix(rows: list[list[float]]) -> Tensor:
    return torch.tensor([[*row] for row in rows])[None]


def test_places_by_hand() -> None:
    image = drawing()
    torch.testing.assert_close(show(image, torch.eye(3)[None]), image, rtol=0, atol=1e-5)
    quarter = show(image, matrix([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]]))
    torch.testing.assert_close(quarter, torch.rot90(image, 1, (2, 3)), rtol=0, atol=1e-5)
    right = show(image, matrix([[1.0, 0, -2 * 2 / 12], [0, 1, 0], [0, 0, 1]]))
    torch.testing.assert_close(right, image.roll(2, 3), rtol=0, atol=1e-5)


def test_paper_goes_on_beyond_the_edge_in_either_polarity() -> None:
    far = matrix([[3.0, 0, 0], [0, 3, 0], [0, 0, 1]])
    ink, negative = drawing(), 1 - drawing()
    assert show(ink, far)[0, 0, 0].eq(0).all()
    torch.testing.assert_close(show(negative, far), 1 - show(ink, far))


@given(st.lists(st.floats(0, 0.4), min_size=8, max_size=8))
def test_a_perspective_takes_four_places_to_four_others(inward: list[float]) -> None:
    corners = torch.tensor([[-1.0, -1], [1, -1], [1, 1], [-1, 1]])
    of = corners * (1 - torch.tensor(inward).view(4, 2))
    where = homography(of[None], corners[None])[0]
    reached = torch.cat([of, torch.ones(4, 1)], 1) @ where.T
    torch.testing.assert_close(reached[:, :2] / reached[:, 2:], corners, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("level", LEVELS)
def test_crops_are_inside_the_image_and_of_the_published_area(level: str) -> None:
    ranges = LEVELS[level]
    where = crops(ranges, 4000, torch.Generator().manual_seed(0))
    across, down = where[:, 0, 0], where[:, 1, 1]
    assert (where[:, 0, 2].abs() + across <= 1 + 1e-6).all()
    assert (where[:, 1, 2].abs() + down <= 1 + 1e-6).all()
    whole = (across == 1) & (down == 1)
    area, aspect = (across * down)[~whole], (across / down)[~whole]
    assert ranges.area[0] - 1e-5 <= area.min() < ranges.area[0] + 0.05
    assert area.max() <= 1
    assert ranges.aspect[0] - 1e-5 <= aspect.min()
    assert aspect.max() <= ranges.aspect[1] + 1e-5
    # Sides above 1 are refused, ten times in a row at most.
    rng = np.random.default_rng(0)
    areas, aspects = rng.uniform(*ranges.area, 10**5), np.exp(rng.uniform(*np.log(ranges.aspect), 10**5))
    refused = (np.maximum(areas * aspects, areas / aspects) > 1).mean()
    assert whole.float().mean().item() == pytest.approx(refused**10, abs=0.015)


@pytest.mark.parametrize("level", LEVELS)
def test_affine_views_stay_within_their_ranges_and_reach_them(level: str) -> None:
    ranges = LEVELS[level]
    moved = torch.linalg.inv(affines(ranges, 4000, torch.Generator().manual_seed(1)))
    zoom = moved[:, :2, 0].norm(dim=1)
    turn = torch.atan2(moved[:, 1, 0], moved[:, 0, 0]).rad2deg()
    unit = moved[:, :2, 0] / zoom[:, None]
    slant = (unit * moved[:, :2, 1]).sum(1) / zoom
    for values, low, high in (
        (zoom, *ranges.zoom),
        (turn, -ranges.turn, ranges.turn),
        (slant.atan().rad2deg(), -ranges.shear, ranges.shear),
        (moved[:, 0, 2] / 2, -ranges.shift, ranges.shift),
        (moved[:, 1, 2] / 2, -ranges.shift, ranges.shift),
    ):
        margin = 0.02 * (high - low)
        assert low - 1e-3 <= values.min() < low + margin
        assert high - margin < values.max() <= high + 1e-3
    torch.testing.assert_close(torch.linalg.det(moved), zoom.square(), rtol=1e-3, atol=1e-3)


def test_half_of_the_perspectives_are_left_alone() -> None:
    where = tilts(LEVELS["normal"], 4000, torch.Generator().manual_seed(2))
    same = torch.isclose(where, torch.eye(3), atol=1e-6).all((1, 2))
    assert 0.47 < same.float().mean() < 0.53


def test_ink_is_cut_at_half_of_its_range_and_a_blank_image_stays_blank() -> None:
    grey = torch.tensor([[0.2, 0.3, 0.39], [0.41, 0.5, 0.6], [0.2, 0.6, 0.4]])[None, None]
    assert cut(grey)[0, 0].tolist() == [[0, 0, 0], [1, 1, 1], [0, 1, 0]]
    assert cut(torch.full((1, 1, 3, 3), 0.7)).sum() == 0


def test_stronger_views_differ_more_and_the_generator_decides_all() -> None:
    images = drawing(24).expand(300, 1, 24, 24)
    differing = []
    for level in LEVELS:
        shown = view(images, level, torch.Generator().manual_seed(3))
        assert torch.equal(shown, view(images, level, torch.Generator().manual_seed(3)))
        assert not torch.equal(shown, view(images, level, torch.Generator().manual_seed(4)))
        assert set(shown.unique().tolist()) == {0.0, 1.0}
        differing.append((shown != images).float().mean().item())
    assert differing == sorted(differing)
    assert math.isfinite(differing[-1])


def test_ranges_are_those_of_the_published_code_or_those_of_the_paper() -> None:
    told = {name: [getattr(own, field) for field in Ranges.__dataclass_fields__] for name, own in LEVELS.items()}
    assert told == {
        "light": [(0.90, 1.10), (0.9, 1.1), 7, 0.05, (0.9, 1.1), 5, 0.25],
        "normal": [(0.75, 1.33), (0.8, 1.2), 15, 0.1, (0.75, 1.33), 10, 0.5],
        "strong": [(0.5, 1.5), (0.6, 1.4), 30, 0.2, (0.5, 1.5), 20, 0.75],
    }
    assert {name: (own.area, own.shift * 50, own.zoom) for name, own in PRINTED.items()} == {
        "light": ((0.05, 0.95), 3, (0.9, 1.1)),
        "normal": ((0.1, 0.9), 5, (0.75, 1.25)),
        "strong": ((0.2, 0.8), 10, (0.5, 1.5)),
    }
    for name, own in PRINTED.items():
        other = LEVELS[name]
        assert (own.aspect, own.turn, own.shear, own.tilt) == (other.aspect, other.turn, other.shear, other.tilt)


def test_views_as_printed_crop_more() -> None:
    images = drawing(24).expand(300, 1, 24, 24)
    usual, printed = (
        view(images, "normal", torch.Generator().manual_seed(3), variant) for variant in ("released", "text")
    )
    assert (printed != images).float().mean() > (usual != images).float().mean()
