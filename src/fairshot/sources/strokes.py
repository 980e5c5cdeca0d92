"""Pen strokes: what a hand can draw in one go, as curves of evenly spaced points, and the pen that inks them."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int, UInt8

POINTS = 96  # a stroke of 200 pixels still has a point every 2 pixels, less than half the pen's width
SIZE = 105
MARGIN = 4  # the pen reaches at most 3 pixels beyond its point, so one row of paper stays free all around

Curve = Float[np.ndarray, "{POINTS} 2"]
Curves = Float[np.ndarray, "stroke {POINTS} 2"]


@dataclass(frozen=True)
class Family:
    """One kind of stroke as a ride: at each leg turn by `corner`, then go `length` while turning by `bend`.

    Each number is a (low, high) range in which an alphabet settles. `swing` alternates the sign of the turns from leg to
    leg. A `level` stroke is rotated until it opens straight up or down, the others keep their first leg as it is.
    """

    legs: tuple[tuple[tuple[float, float], tuple[float, float], tuple[float, float]], ...]
    swing: bool = False
    level: bool = True
    loop: bool = False
    liking: tuple[float, float] = (1.0, 1.0)
    """How much round and angular alphabets like it."""


_NONE = (0.0, 0.0)
_RIGHT = (1.57, 1.57)
_FULL = (6.28, 6.28)
FAMILIES = {
    "line": Family(((_NONE, (1, 1), _NONE),), liking=(3.0, 4.0)),
    "arc": Family(((_NONE, (1, 1), (1.6, 4.2)),), liking=(3.0, 1.0)),
    "ring": Family(((_NONE, (1, 1), _FULL),), loop=True, liking=(1.5, 1.0)),
    "bowl": Family(
        ((_NONE, (0.2, 0.45), _NONE), (_NONE, (0.4, 0.6), (2.9, 3.3)), (_NONE, (0.2, 0.45), _NONE)), liking=(1.2, 1.2)
    ),
    "corner": Family(((_NONE, (0.5, 0.7), _NONE), ((1.2, 2.2), (0.3, 0.6), _NONE)), level=False, liking=(0.7, 2.5)),
    "roof": Family(((_NONE, (0.5, 0.5), _NONE), ((1.2, 2.3), (0.5, 0.5), _NONE)), liking=(0.6, 2.0)),
    "hook": Family(
        ((_NONE, (0.6, 0.8), _NONE), (_NONE, (0.25, 0.4), (2.2, 3.4))), level=False, liking=(1.5, 0.8)
    ),
    "wave": Family(((_NONE, (0.5, 0.5), (1.6, 3.4)), (_NONE, (0.4, 0.6), (1.6, 3.4))), swing=True, liking=(1.0, 0.4)),
    "zigzag": Family(
        ((_NONE, (0.4, 0.6), _NONE), ((1.9, 2.5), (0.5, 0.7), _NONE), ((1.9, 2.5), (0.4, 0.6), _NONE)),
        swing=True, level=False, liking=(0.4, 1.2),
    ),
    "stair": Family(
        ((_NONE, (0.3, 0.5), _NONE), (_RIGHT, (0.3, 0.6), _NONE), (_RIGHT, (0.3, 0.5), _NONE)),
        swing=True, level=False, liking=(0.3, 1.0),
    ),
    "tail": Family(
        ((_NONE, (0.5, 0.65), _FULL), (_NONE, (0.3, 0.5), (-0.6, 0.6))), level=False, loop=True, liking=(1.3, 0.7)
    ),
    "knot": Family(
        ((_NONE, (0.35, 0.45), _NONE), (_NONE, (0.45, 0.6), (3.9, 4.9)), (_NONE, (0.35, 0.45), _NONE)),
        loop=True, liking=(0.7, 0.4),
    ),
    "curl": Family(
        ((_NONE, (0.55, 0.7), (2.9, 3.4)), (_NONE, (0.3, 0.35), (3.0, 3.6))), level=False, liking=(0.6, 0.3)
    ),
    "bumps": Family(((_NONE, (0.5, 0.5), (3.2, 4.0)), ((-2.6, -2.2), (0.5, 0.5), (3.2, 4.0))), liking=(0.8, 0.3)),
}  # fmt: skip


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
    steps = np.stack([np.cos(heading), np.sin(heading)], axis=1)
    curve = np.concatenate([np.zeros((1, 2)), np.cumsum(steps, axis=0)])
    curve -= 0.5 * (curve.min(axis=0) + curve.max(axis=0))
    return curve / np.ptp(curve, axis=0).max()


def smoother(width: float) -> Float[np.ndarray, "{POINTS} {POINTS}"]:
    """The matrix that rounds a curve's corners over `width` points and keeps its ends where they are."""
    places = np.arange(POINTS)
    reach = np.arange(-POINTS, 2 * POINTS)
    weights = np.exp(-0.5 * ((places[:, None] - reach) / width) ** 2)
    weights /= weights.sum(axis=1, keepdims=True)
    matrix = np.zeros((POINTS, POINTS))
    # Beyond an end the curve goes on as its own reflection through that end: 2 * end - curve.
    for column, place in enumerate(reach):
        if place < 0:
            matrix[:, 0] += 2 * weights[:, column]
            matrix[:, min(-place, POINTS - 1)] -= weights[:, column]
        elif place >= POINTS:
            matrix[:, -1] += 2 * weights[:, column]
            matrix[:, max(2 * (POINTS - 1) - place, 0)] -= weights[:, column]
        else:
            matrix[:, place] += weights[:, column]
    return matrix


def bumps(knots: int) -> Float[np.ndarray, "{POINTS} knot"]:
    """Smooth bumps evenly spaced along a stroke: a few normal numbers times these bend it softly."""
    places = np.linspace(0, knots - 1, POINTS)
    basis = np.exp(-0.5 * ((places[:, None] - np.arange(knots)) / 0.6) ** 2)
    return basis / np.sqrt((basis**2).sum(axis=1, keepdims=True))


def rotated(curves: Float[np.ndarray, "*shape 2"], angle: float | Float[np.ndarray, "..."]) -> Float[np.ndarray, "*shape 2"]:
    """The curves turned clockwise (the second axis points down) around the origin."""
    across, down = curves[..., 0], curves[..., 1]
    return np.stack(
        [across * np.cos(angle) - down * np.sin(angle), across * np.sin(angle) + down * np.cos(angle)], axis=-1
    )


def mirror_error(points: Float[np.ndarray, "point 2"]) -> float:
    """How far a drawing lies from its left-right mirror image around its own middle: the 95% worst distance."""
    points = points - 0.5 * (points.min(axis=0) + points.max(axis=0))
    gaps = points[:, None] - points * [-1, 1]
    return float(np.sqrt(np.quantile((gaps**2).sum(axis=2).min(axis=1), 0.95)))


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
    heading = np.arctan2(steps[..., 1], steps[..., 0])
    turn = np.abs((np.diff(heading, axis=1) + np.pi) % (2 * np.pi) - np.pi)
    return turn, np.hypot(steps[:, 1:, 0], steps[:, 1:, 1])


def bending(curves: Curves) -> float:
    """The share of the ink that bends: neither straight nor a corner between straight parts."""
    turn, length = turning(curves)
    return float((length * ((turn > 0.06) & (turn < 0.7))).sum() / length.sum())


def fit_canvas(points: Curves, starts: Int[np.ndarray, " drawing"], drawing: Int[np.ndarray, " stroke"]) -> Curves:
    """The drawings shrunk and shifted where they would leave the canvas, the others as they are."""
    low = np.minimum.reduceat(points.min(axis=1), starts)
    high = np.maximum.reduceat(points.max(axis=1), starts)
    shrink = np.minimum(1, (SIZE - 1 - 2 * MARGIN) / np.max(high - low, axis=1, keepdims=True))
    middle, half = 0.5 * (low + high), 0.5 * shrink * (high - low)
    kept = np.clip(middle, MARGIN + half, SIZE - 1 - MARGIN - half)
    return (points - middle[drawing, None]) * shrink[drawing, None] + kept[drawing, None]


def ink(
    points: Float[np.ndarray, "dab 2"], drawing: Int[np.ndarray, " dab"], thick: Bool[np.ndarray, " drawing"]
) -> UInt8[np.ndarray, "drawing 1 {SIZE} {SIZE}"]:
    """Drawings in black (0) on white (255) with a round pen of 4 or, where `thick`, 5 pixels."""
    place = np.rint(points).astype(np.int64)
    marks = np.zeros((len(thick), SIZE * SIZE), dtype=bool)
    marks[drawing, place[:, 1] * SIZE + place[:, 0]] = True
    # A 2 x 2 or 3 x 3 square, then a plus: the corners of the 4 x 4 or 5 x 5 pen stay white, which makes it round.
    for step in (1, SIZE):
        marks = marks | _shifted(marks, step) | (_shifted(marks, -step) & thick[:, None])
    grown = marks.copy()
    for step in (1, -1, SIZE, -SIZE):
        grown |= _shifted(marks, step)
    return np.where(grown, np.uint8(0), np.uint8(255)).reshape(-1, 1, SIZE, SIZE)


def _shifted(marks: Bool[np.ndarray, "drawing pixel"], step: int) -> Bool[np.ndarray, "drawing pixel"]:
    """All marks moved by some pixels of the flat drawing; the free margin keeps them from wrapping around."""
    return np.roll(marks.reshape(-1), step).reshape(marks.shape)
