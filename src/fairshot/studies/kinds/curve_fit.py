"""Smooth curves through the points of a sweep, in the order of its setting.

Two ways, as Boutin et al. 2022 have them: a Savitzky-Golay filter over the points; or second-order polynomials for
diversity and recognizability along the curve and for the one against the other, fitted together (after Grossman 1971):
points keep their order and slide along the curve until the sum of all three squared errors no longer changes.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from scipy.signal import savgol_filter

WINDOW, ORDER = 7, 2
CHANGE, MOST_ROUNDS = 1e-6, 200  # of the sum of squared errors
GRID = 201  # places along the curve that a point may slide to
DRAWN = 41  # places at which a fitted curve is given

Path = Float[np.ndarray, "point 2"]
"""Diversity and recognizability in the order of a setting."""


@dataclass(frozen=True, eq=False)
class Fit:
    """A smooth curve: what the setting is along it, and both axes."""

    positions: Float[np.ndarray, " place"]
    path: Float[np.ndarray, "place 2"]
    error: float
    """The sum of squared errors, on axes of unit variance."""


def filter_path(positions: Float[np.ndarray, " point"], path: Path) -> Fit:
    """The Savitzky-Golay filter with a window of seven points, or of as many as there are."""
    count = len(path)
    window = min(WINDOW, count - (count + 1) % 2)
    if window <= ORDER:
        return Fit(positions, path, 0.0)
    smooth = savgol_filter(path, window, ORDER, axis=0)
    spread = _spread(path)
    return Fit(positions, smooth, float((((path - smooth) / spread) ** 2).sum()))


def fit_path(positions: Float[np.ndarray, " point"], path: Path) -> Fit:
    """Three second-order polynomials at once; with fewer than four points, the points themselves."""
    count = len(path)
    if count <= ORDER + 1:
        return Fit(positions, path, 0.0)
    middle, spread = path.mean(axis=0), _spread(path)
    points = (path - middle) / spread
    along, error = np.linspace(0, 1, count), np.inf
    for _ in range(MOST_ROUNDS):
        curves = [_polynomial(along, points[:, axis]) for axis in (0, 1)]
        plane = _polynomial(np.polyval(curves[0], along), points[:, 1])
        found = float(np.diagonal(_errors(points, along, curves, plane)).sum())
        if found > error - CHANGE:
            break
        error, best = found, (along, curves)
        along = _slide(points, curves, plane)
        if len(np.unique(along)) <= ORDER:  # too few places are left for a polynomial
            break
    along, curves = best
    places = np.linspace(along[0], along[-1], DRAWN)
    drawn = np.stack([np.polyval(curve, places) for curve in curves], axis=1) * spread + middle
    return Fit(np.interp(places, along, positions), drawn, error)


def _polynomial(x: Float[np.ndarray, " point"], y: Float[np.ndarray, " point"]) -> Float[np.ndarray, " coefficient"]:
    """By least squares; where points do not tell all coefficients, the smallest that fit."""
    return np.linalg.lstsq(np.vander(x, ORDER + 1), y, rcond=None)[0]


def _errors(
    points: Path, places: Float[np.ndarray, " place"], curves: list[np.ndarray], plane: np.ndarray
) -> Float[np.ndarray, "point place"]:
    """The squared errors of all three polynomials, were a point at a place."""
    across, up = (np.polyval(curve, places) for curve in curves)
    against = np.polyval(plane, across)
    diversity, recognizability = points[:, :1], points[:, 1:]
    return (diversity - across) ** 2 + (recognizability - up) ** 2 + (recognizability - against) ** 2


def _slide(points: Path, curves: list[np.ndarray], plane: np.ndarray) -> Float[np.ndarray, " point"]:
    """The places with the least sum of errors, none before that of an earlier point."""
    places = np.linspace(0, 1, GRID)
    errors = _errors(points, places, curves, plane)
    sums, before = errors[0].copy(), []
    for own in errors[1:]:
        least = np.minimum.accumulate(sums)
        before.append(np.maximum.accumulate(np.where(sums == least, np.arange(GRID), 0)))  # where that is reached
        sums = own + least
    chosen = [int(sums.argmin())]
    for reached in reversed(before):
        chosen.append(int(reached[chosen[-1]]))
    return places[chosen[::-1]]


def _spread(path: Path) -> Float[np.ndarray, "2"]:
    spread = path.std(axis=0)
    return np.where(spread > 0, spread, 1.0)
