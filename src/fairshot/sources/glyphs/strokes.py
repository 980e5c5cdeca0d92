"""Pen strokes: what a hand draws in one go, as curves of evenly spaced points."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from fairshot.sources.glyphs import arithmetic

POINTS = 96  # enough for a smooth spiral, and few enough to deform thousands of strokes at a time
SIZE = 105

GRID, CELL = 14, 7.5  # a coarse look at the canvas: two drawings of one place differ by about a cell

Curve = Float[np.ndarray, "96 2"]
Curves = Float[np.ndarray, "stroke 96 2"]


@dataclass(frozen=True)
class Family:
    """One kind of stroke as a ride: at each leg turn by `corner`, then go `length` while turning by `bend`.

    Each number is a (low, high) range in which an alphabet settles. `swing` alternates the sign of the turns from leg
    to leg. A `level` stroke is rotated until it opens straight up or down, the others keep their first leg as it is.
    """

    name: str
    legs: tuple[tuple[tuple[float, float], tuple[float, float], tuple[float, float]], ...]
    swing: bool = False
    level: bool = True
    liking: tuple[float, float] = (1.0, 1.0)
    """How much round and angular alphabets like it."""


_NONE, _RIGHT, _FULL = (0.0, 0.0), (1.57, 1.57), (6.28, 6.28)
_ARM = (_NONE, (0.2, 0.45), _NONE)
_STEP = (_RIGHT, (0.3, 0.6), _NONE)
_ZIG = ((1.9, 2.5), (0.4, 0.7), _NONE)
FAMILIES = (
    Family("line", ((_NONE, (1.0, 1.0), _NONE),), liking=(3.0, 4.0)),
    Family("arc", ((_NONE, (1.0, 1.0), (1.6, 4.2)),), liking=(3.0, 1.0)),
    Family("ring", ((_NONE, (1.0, 1.0), _FULL),), liking=(1.8, 1.2)),
    Family("bowl", (_ARM, (_NONE, (0.4, 0.6), (2.9, 3.3)), _ARM), liking=(1.2, 1.2)),
    Family("corner", ((_NONE, (0.5, 0.7), _NONE), ((1.2, 2.2), (0.3, 0.6), _NONE)), level=False, liking=(0.7, 2.5)),
    Family("roof", ((_NONE, (0.5, 0.5), _NONE), ((1.2, 2.3), (0.5, 0.5), _NONE)), liking=(0.6, 2.0)),
    Family("hook", ((_NONE, (0.6, 0.8), _NONE), (_NONE, (0.25, 0.4), (2.2, 3.4))), level=False, liking=(1.5, 0.8)),
    Family("wave", ((_NONE, (0.5, 0.5), (1.6, 3.4)), (_NONE, (0.4, 0.6), (1.6, 3.4))), swing=True, liking=(1.0, 0.4)),
    Family("zigzag", ((_NONE, (0.4, 0.6), _NONE), _ZIG, _ZIG), swing=True, level=False, liking=(0.4, 1.2)),
    Family("stair", ((_NONE, (0.3, 0.5), _NONE), _STEP, _STEP), swing=True, level=False, liking=(0.3, 1.0)),
    Family("tail", ((_NONE, (0.6, 0.75), _FULL), (_NONE, (0.25, 0.4), (-0.6, 0.6))), level=False, liking=(1.5, 0.8)),
    Family("knot", (_ARM, (_NONE, (0.5, 0.7), (3.9, 4.9)), _ARM), liking=(0.8, 0.5)),
    Family(
        "curl", ((_NONE, (0.55, 0.7), (2.9, 3.4)), (_NONE, (0.3, 0.35), (3.0, 3.6))), level=False, liking=(0.6, 0.3)
    ),
    Family("bumps", ((_NONE, (0.5, 0.5), (3.2, 4.0)), ((-2.6, -2.2), (0.5, 0.5), (3.2, 4.0))), liking=(0.8, 0.3)),
)


def ride(family: Family, values: Float[np.ndarray, "leg 3"], *, facet: float) -> Curve:
    """The stroke of a family at one point of its ranges, its longer side 1, around the origin.

    With a `facet`, the pen knows only directions that are multiples of this angle: arcs become polygons.
    """
    ranges = np.array(family.legs)
    corner, length, bend = (ranges[..., 0] + values * (ranges[..., 1] - ranges[..., 0])).T
    sign = (-1.0) ** np.arange(len(length)) if family.swing else np.ones(len(length))
    ends = np.cumsum(length) / length.sum()
    # Headings of the POINTS - 1 steps, taken in their middle, so that a full turn closes.
    step = (np.arange(POINTS - 1) + 0.5) / (POINTS - 1)
    leg = np.searchsorted(ends, step)
    starts = ends - length / length.sum()
    turned = np.cumsum(sign * corner) + np.concatenate([[0.0], np.cumsum(sign * bend)[:-1]])
    heading = turned[leg] + (sign * bend)[leg] * (step - starts[leg]) * length.sum() / length[leg]
    if family.level:
        heading -= 0.5 * (heading[0] + heading[-1])
    if facet:
        heading = facet * np.rint(heading / facet)
    steps = np.stack(arithmetic.cos_sin(heading), axis=1)
    curve = np.concatenate([np.zeros((1, 2)), np.cumsum(steps, axis=0)])
    curve -= 0.5 * (curve.min(axis=0) + curve.max(axis=0))
    return curve / np.ptp(curve, axis=0).max()


def smoother(width: float) -> Float[np.ndarray, "96 96"]:
    """The matrix that rounds a curve's corners over `width` points and keeps its ends where they are."""
    reach = np.arange(1 - POINTS, 2 * POINTS - 1)
    weights = arithmetic.exp(-0.5 * ((np.arange(POINTS)[:, None] - reach) / width) ** 2)
    before, matrix, after = np.split(weights / weights.sum(axis=1, keepdims=True), [POINTS - 1, 2 * POINTS - 1], axis=1)
    # Beyond an end the curve goes on as its own reflection through that end: 2 * end - curve.
    matrix[:, 0] += 2 * before.sum(axis=1)
    matrix[:, 1:] -= before[:, ::-1]
    matrix[:, -1] += 2 * after.sum(axis=1)
    matrix[:, :-1] -= after[:, ::-1]
    return matrix


def soften(matrix: Float[np.ndarray, "96 96"], curves: Curves) -> Curves:
    """The curves with their corners rounded by a smoother's matrix."""
    return np.swapaxes(arithmetic.product(matrix, np.swapaxes(curves, 0, 1)), 0, 1)


def bumps(knots: int) -> Float[np.ndarray, "96 knot"]:
    """Smooth bumps evenly spaced along a stroke: a few normal numbers times these bend it softly."""
    places = np.linspace(0, knots - 1, POINTS)
    basis = arithmetic.exp(-0.5 * ((places[:, None] - np.arange(knots)) / 0.6) ** 2)
    return basis / np.sqrt((basis**2).sum(axis=1, keepdims=True))


def rotated(
    curves: Float[np.ndarray, "*shape 2"], angle: float | Float[np.ndarray, "..."]
) -> Float[np.ndarray, "*shape 2"]:
    """The curves turned clockwise (the second axis points down) around the origin."""
    across, down = curves[..., 0], curves[..., 1]
    cosine, sine = arithmetic.cos_sin(np.atleast_1d(np.asarray(angle, dtype=np.float64)))
    return np.stack([across * cosine - down * sine, across * sine + down * cosine], axis=-1)


def mirror_error(points: Float[np.ndarray, "point 2"]) -> float:
    """How far a drawing lies from its left-right mirror image around its own middle: the 95% worst distance."""
    across, down = points[:, 0] - 0.5 * (points[:, 0].min() + points[:, 0].max()), points[:, 1]
    nearest = ((across[:, None] + across) ** 2 + (down[:, None] - down) ** 2).min(axis=1)
    return float(np.sqrt(np.sort(nearest)[int(0.95 * (len(nearest) - 1))]))


def loop_width(curve: Curve) -> float:
    """The shorter side of the widest loop where a stroke closes or crosses itself; 0 if it does not."""
    gaps = arithmetic.distance(*(curve[:, None] - curve).T)
    # A quarter of the stroke must lie between, or every point would close with its neighbour.
    first, second = np.nonzero(np.triu(gaps < 0.03, POINTS // 4))
    return max((float(np.ptp(curve[i : j + 1], axis=0).min()) for i, j in zip(first, second, strict=True)), default=0.0)


def crosses(one: Curve, other: Curve, *, past: float) -> bool:
    """Whether two strokes cross, each going on for at least `past` on both sides of the crossing."""
    a, b = one[::3], other[::3]
    step_a, step_b, gap = np.diff(a, axis=0), np.diff(b, axis=0), b[None, :-1] - a[:-1, None]
    cross = step_a[:, None, 0] * step_b[None, :, 1] - step_a[:, None, 1] * step_b[None, :, 0]
    cross = np.where(np.abs(cross) < 1e-9, np.inf, cross)
    along_a = (gap[..., 0] * step_b[None, :, 1] - gap[..., 1] * step_b[None, :, 0]) / cross
    along_b = (gap[..., 0] * step_a[:, None, 1] - gap[..., 1] * step_a[:, None, 0]) / cross
    meet = np.isfinite(cross) & (along_a >= 0) & (along_a < 1) & (along_b >= 0) & (along_b < 1)
    first, second = np.nonzero(meet)
    enough = True
    for curve, place in ((a, first), (b, second)):
        point = curve[place]
        ends = np.stack([curve[0], curve[-1]])
        enough = enough & (np.linalg.norm(point[:, None] - ends, axis=2).min(axis=1) >= past)
    return bool(np.any(enough)) if len(first) else False


def turning(curves: Curves) -> tuple[Float[np.ndarray, "stroke bend"], Float[np.ndarray, "stroke bend"]]:
    """How much each stroke turns at evenly spaced places, and the length of the pieces between them."""
    steps = np.diff(curves[:, ::4], axis=1)
    heading = arithmetic.direction(steps[..., 0], steps[..., 1])
    turn = np.abs((np.diff(heading, axis=1) + np.pi) % (2 * np.pi) - np.pi)
    return turn, arithmetic.distance(steps[:, 1:, 0], steps[:, 1:, 1])


def bending(curves: Curves) -> float:
    """The share of the ink that bends: neither straight nor a corner between straight parts."""
    turn, length = turning(curves)
    return float((length * ((turn > 0.06) & (turn < 0.7))).sum() / length.sum())


def cells(curves: Curves) -> Float[np.ndarray, "stroke cell"]:
    """For each stroke, how much of it falls into each cell of a coarse grid around the middle."""
    flat = curves[:, ::2].reshape(-1, 2)
    corner = 0.5 * (flat.min(axis=0) + flat.max(axis=0)) - 0.5 * CELL * GRID
    place = np.minimum(np.maximum((flat - corner) / CELL, 0), GRID - 1).astype(np.int64)
    number = place @ [1, GRID] + np.repeat(np.arange(len(curves)) * GRID * GRID, POINTS // 2)
    return np.bincount(number, minlength=len(curves) * GRID * GRID).reshape(len(curves), -1) / (POINTS // 2)


def impression(curves: Curves) -> Float[np.ndarray, " cell"]:
    """The blurred picture at a glance, of length 1: look-alikes have a product near 1."""
    padded = np.zeros((GRID + 2, GRID + 2))
    padded[1:-1, 1:-1] = np.minimum(arithmetic.product(lengths(curves)[None], cells(curves)), CELL).reshape(GRID, GRID)
    blurred = padded[:-2] + 2 * padded[1:-1] + padded[2:]
    blurred = blurred[:, :-2] + 2 * blurred[:, 1:-1] + blurred[:, 2:]
    return blurred.ravel() / np.sqrt((blurred**2).sum())


def likeness(curves: Curves, seen: Float[np.ndarray, "earlier cell"]) -> float:
    """How much a drawing looks like the nearest of some impressions; 1 is the same."""
    return float((seen * impression(curves)).sum(axis=1).max(initial=0))


def lengths(curves: Curves) -> Float[np.ndarray, " stroke"]:
    """How long each stroke is."""
    steps = curves[:, 5::5] - curves[:, :-5:5]
    return arithmetic.distance(steps[..., 0], steps[..., 1]).sum(axis=1)


def clearance(curves: Curves) -> float:
    """How far the middle of the last stroke is from all others."""
    gaps = curves[:-1] - curves[-1].mean(axis=0)
    return float(np.sqrt((gaps**2).sum(axis=2).min()))


def are_legible(curves: Curves) -> bool:
    """No stroke is too small or hides another, and the whole is neither tiny nor crammed with ink."""
    # Each stroke's longer side, one coordinate at a time: NumPy is slow to reduce pairs.
    sides = np.maximum(*(curves[..., i].max(axis=1) - curves[..., i].min(axis=1) for i in (0, 1)))
    # The more a stroke turns, the bigger it must be: 12 pixels for a line, 20 for a ring, 24 for two bumps.
    if (sides < 12 + 4 * turning(curves)[0].sum(axis=1) / np.pi).any():
        return False
    extent = np.ptp(curves.reshape(-1, 2), axis=0)
    if extent.max() < 30 or 5 * lengths(curves).sum() > 0.46 * np.prod(np.maximum(extent, 20)):
        return False
    met = (cells(curves) > 0).astype(np.float64)
    shared = met @ met.T
    own = np.diag(shared)
    return bool(((shared / np.minimum(own[:, None], own)) - np.eye(len(own)) < 0.45).all())
