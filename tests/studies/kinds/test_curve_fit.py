"""Smooth curves beside plain least squares and scipy's filter."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.signal import savgol_filter

from fairshot.studies.kinds.curve_fit import filter_path, fit_path

POSITIONS = np.arange(20.0, 100.0, 10.0)


def plain_error(path: np.ndarray) -> float:
    """Three polynomials over evenly spaced places, one after the other."""
    points = (path - path.mean(axis=0)) / path.std(axis=0)
    along = np.linspace(0, 1, len(path))
    across, up = (np.polyval(np.polyfit(along, points[:, axis], 2), along) for axis in (0, 1))
    against = np.polyval(np.polyfit(across, points[:, 1], 2), across)
    gaps = (points[:, 0] - across, points[:, 1] - up, points[:, 1] - against)
    return float(sum((gap**2).sum() for gap in gaps))


def test_points_on_a_line_and_a_parabola_are_fitted_exactly() -> None:
    along = np.linspace(0, 1, 8)
    path = np.stack([2 - along, 0.5 + along - along**2], axis=1)
    fit = fit_path(POSITIONS, path)
    assert fit.error == pytest.approx(0, abs=1e-12)
    np.testing.assert_allclose(fit.path[[0, -1]], path[[0, -1]], atol=1e-6)
    assert fit.positions[[0, -1]].tolist() == [20, 90]


@given(st.integers(0, 10_000))
def test_sliding_points_never_make_the_error_larger_and_keep_their_order(seed: int) -> None:
    path = np.random.default_rng(seed).normal(size=(8, 2)).cumsum(axis=0)
    fit = fit_path(POSITIONS, path)
    assert fit.error <= plain_error(path) + 1e-9
    assert (np.diff(fit.positions) >= -1e-9).all()


def test_the_filter_is_that_of_scipy_with_a_window_of_seven() -> None:
    path = np.random.default_rng(0).normal(size=(8, 2))
    np.testing.assert_allclose(filter_path(POSITIONS, path).path, savgol_filter(path, 7, 2, axis=0))
    np.testing.assert_allclose(filter_path(POSITIONS[:6], path[:6]).path, savgol_filter(path[:6], 5, 2, axis=0))


@pytest.mark.parametrize("fit", [filter_path, fit_path])
def test_too_few_points_are_left_as_they_are(fit: object) -> None:
    path = np.array([[1.0, 0.5], [2.0, 0.7], [1.5, 0.1]])
    assert callable(fit)
    np.testing.assert_allclose(fit(POSITIONS[:3], path).path, path)


def test_points_at_one_place_are_a_curve_too() -> None:
    fit = fit_path(POSITIONS, np.ones((8, 2)))
    np.testing.assert_allclose(fit.path, 1)
