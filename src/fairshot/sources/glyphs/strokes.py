"""Pen strokes: what a hand draws in one go, as curves of evenly spaced points; hands; the pen that inks them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Bool, Float, Int, Shaped, UInt8

from fairshot.sources.glyphs import arithmetic

POINTS = 96  # enough for a smooth spiral, and few enough to deform thousands of strokes at a time
SIZE = 105
MARGIN = 4  # the pen reaches at most 3 pixels beyond its point, so one row of paper stays free all around

GRID, CELL = 14, 7.5  # a coarse look at the canvas: two drawings of one place differ by about a cell
KNOTS = (5, 16)  # along a stroke: slow bends of a loose hand, fast ones of a trembling hand
WHOLE = 6  # numbers behind a drawing as a whole: size, aspect, slant, turn, place
SLIP = 6 + 2 * sum(KNOTS)  # and behind each of its strokes: size, stretch, turn, how it misses its place; bends

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


@dataclass(frozen=True)
class Programme:
    """What a hand draws: strokes in pixels around the middle of the canvas, in order."""

    curves: Curves
    links: Int[np.ndarray, "stroke 3"]
    """For each stroke: the earlier stroke it hangs on, the place there, and its own place."""


def normals(uniform: Float[np.ndarray, "*shape"]) -> Float[np.ndarray, "*shape"]:
    """Normal numbers from an even number of uniform ones (Box and Muller), cut where a hand would not go."""
    radius = np.sqrt(-2 * arithmetic.log(1 - uniform[..., 0::2]))
    cosine, sine = arithmetic.cos_sin(2 * np.pi * uniform[..., 1::2])
    return np.clip(np.concatenate([radius * cosine, radius * sine], axis=-1), -2.5, 2.5)


@dataclass(frozen=True)
class Hands:
    """How some drawers draw, whatever they draw."""

    whole: Float[np.ndarray, "drawer 6"]
    looseness: Float[np.ndarray, " drawer"]
    tremor: Float[np.ndarray, " drawer"]
    softness: Float[np.ndarray, " drawer"]
    thick: Bool[np.ndarray, " drawer"]

    @classmethod
    def create(cls, habits: Float[np.ndarray, "drawer 10"]) -> "Hands":
        """Hands from normal numbers."""
        # Omniglot's drawers differ by 8% in size, 7% in aspect (here: twice the half) and 2.7 pixels in place.
        whole = habits[:, :WHOLE] * [0.078, 0.035, 0.07, 0.03, 2.8, 2.8]
        softness = np.clip(0.4 + 0.4 * habits[:, 8], 0, 1)
        # Three quarters have the pen of 5 pixels, the usual one in Omniglot.
        looseness, tremor = arithmetic.exp(0.3 * habits[:, 6]), 0.35 * arithmetic.exp(0.5 * habits[:, 7])
        return cls(whole, looseness, tremor, softness, habits[:, 9] > -0.7)


@dataclass(frozen=True)
class Rows:
    """The strokes of many drawings, one after the other."""

    programmes: Sequence[Programme]
    each: int
    """Drawings of each programme."""

    @cached_property
    def counts(self) -> Int[np.ndarray, " drawing"]:
        """How many strokes each drawing has."""
        return np.repeat([len(programme.curves) for programme in self.programmes], self.each)

    @cached_property
    def starts(self) -> Int[np.ndarray, " drawing"]:
        """The first stroke of each drawing."""
        return np.cumsum(self.counts) - self.counts

    @cached_property
    def drawing(self) -> Int[np.ndarray, " stroke"]:
        """The drawing that each stroke belongs to."""
        return np.repeat(np.arange(len(self.counts)), self.counts)

    def spread(self, of: Callable[[Programme], Shaped[np.ndarray, "_ ..."]]) -> Shaped[np.ndarray, "stroke ..."]:
        """What a programme says of its strokes, for all strokes of all its drawings."""
        parts = [of(programme) for programme in self.programmes]
        return np.concatenate([np.tile(part, (self.each, *[1] * (part.ndim - 1))) for part in parts])


def draw(
    programmes: Sequence[Programme], slips: Sequence[Float[np.ndarray, "each _"]], hands: Hands
) -> UInt8[np.ndarray, "drawing 1 105 105"]:
    """Each programme once per row of its normal numbers (slips); the rows go through the hands in order."""
    rows = Rows(programmes, len(slips[0]))
    drawer = np.tile(np.repeat(np.arange(len(hands.thick)), rows.each // len(hands.thick)), len(programmes))
    noise = np.concatenate([slip[:, WHOLE:].reshape(-1, SLIP) for slip in slips])
    clean, links = rows.spread(lambda programme: programme.curves), rows.spread(lambda programme: programme.links)
    links[:, 0] += rows.starts[rows.drawing]
    moved = _deform(clean, rows, noise, hands, drawer[rows.drawing]) - clean
    moved += _carry(moved, links, 1.8 * hands.looseness[drawer[rows.drawing], None] * noise[:, 4:6], rows)[:, None]
    # Within one drawer's work Omniglot differs by 9% in size, 16% in aspect and 4.4 pixels in place, strokes included.
    whole = np.concatenate([slip[:, :WHOLE] for slip in slips]) * [0.05, 0.045, 0.06, 0.05, 3.8, 3.8]
    points = _fit_canvas(_pose(clean + moved, (whole + hands.whole[drawer])[rows.drawing]), rows)
    return _ink(points, rows.drawing, hands.thick[drawer])


def _deform(
    clean: Curves,
    rows: Rows,
    noise: Float[np.ndarray, "stroke 48"],
    hands: Hands,
    drawer: Int[np.ndarray, " stroke"],
) -> Curves:
    """Each stroke in its own size, turn and bends, around the place by which it hangs on another."""
    softened = rows.spread(lambda programme: soften(SOFTER, programme.curves))
    anchor = rows.spread(lambda programme: programme.curves[np.arange(len(programme.curves)), programme.links[:, 2]])
    extent = rows.spread(lambda programme: np.ptp(programme.curves, axis=1).max(axis=1))
    loose, tremor, soft = hands.looseness[drawer], hands.tremor[drawer], hands.softness[drawer, None, None]
    size = arithmetic.exp(loose[:, None] * (0.12 * noise[:, :1] + 0.07 * noise[:, 1:3]))
    curve = (clean + soft * (softened - clean) - anchor[:, None]) * size[:, None]
    curve = rotated(curve, (0.1 * loose * noise[:, 3])[:, None]) + anchor[:, None]
    # A loose hand strays in proportion to the stroke; a tremor is as big in a small stroke as in a big one.
    strength = np.repeat(np.stack([loose * (0.3 + 0.038 * extent), tremor], axis=1), KNOTS, axis=1)
    bends = strength[:, None] * noise[:, 6:].reshape(-1, 2, sum(KNOTS))
    return curve + np.swapaxes(arithmetic.product(bends.reshape(-1, sum(KNOTS)), BENDS).reshape(-1, 2, POINTS), 1, 2)


def _carry(
    moved: Curves, links: Int[np.ndarray, "stroke 3"], miss: Float[np.ndarray, "stroke 2"], rows: Rows
) -> Float[np.ndarray, "stroke 2"]:
    """How far each stroke is carried along by the one it hangs on, which it misses a little."""
    shift = np.zeros((len(moved), 2))
    for order in range(1, int(rows.counts.max())):
        row = rows.starts[rows.counts > order] + order
        parent, place, own = links[row].T
        shift[row] = shift[parent] + moved[parent, place] - moved[row, own] + miss[row]
    return shift


def _pose(points: Curves, whole: Float[np.ndarray, "stroke 6"]) -> Curves:
    """Each stroke in the size, aspect, slant, turn and place of its drawing on the canvas."""
    size, aspect, slant, turn, across, down = whole.T
    points = points * arithmetic.exp(np.stack([size + aspect, size - aspect], axis=1))[:, None]
    points[..., 0] -= slant[:, None] * points[..., 1]
    return rotated(points, turn[:, None]) + np.stack([across, down], axis=1)[:, None] + (SIZE - 1) / 2


def _fit_canvas(points: Curves, rows: Rows) -> Curves:
    """The drawings shrunk and shifted where they would leave the canvas, the others as they are."""
    low = np.minimum.reduceat(np.stack([points[..., i].min(axis=1) for i in (0, 1)], axis=1), rows.starts)
    high = np.maximum.reduceat(np.stack([points[..., i].max(axis=1) for i in (0, 1)], axis=1), rows.starts)
    shrink = np.minimum(1, (SIZE - 1 - 2 * MARGIN) / np.max(high - low, axis=1, keepdims=True))
    middle, half = 0.5 * (low + high), 0.5 * shrink * (high - low)
    shift = np.clip(middle, MARGIN + half, SIZE - 1 - MARGIN - half) - middle * shrink
    return points * shrink[rows.drawing, None] + shift[rows.drawing, None]


def _ink(
    points: Curves, drawing: Int[np.ndarray, " stroke"], thick: Bool[np.ndarray, " drawing"]
) -> UInt8[np.ndarray, "drawing 1 105 105"]:
    """Drawings in black (0) on white (255) with a round pen of 4 or, where `thick`, 5 pixels."""
    # With a dab half-way between any two points a ring as wide as the canvas still has one every 2 pixels.
    dabs = np.concatenate([points, 0.5 * (points[:, 1:] + points[:, :-1])], axis=1)
    place = np.rint(dabs).astype(np.int64)
    marks = np.zeros((len(thick), SIZE * SIZE), dtype=np.uint8)
    marks.reshape(-1)[(place[..., 1] * SIZE + place[..., 0]) + drawing[:, None] * (SIZE * SIZE)] = 1
    # A 2 x 2 or 3 x 3 square, then a plus: the corners of the 4 x 4 or 5 x 5 pen stay white, which makes it round.
    for step in (1, SIZE):
        grown = marks.copy()
        _spread_ink(grown, marks, step)
        _spread_ink(grown, marks * thick[:, None], -step)
        marks = grown
    grown = marks.copy()
    for step in (1, -1, SIZE, -SIZE):
        _spread_ink(grown, marks, step)
    return (grown - np.uint8(1)).reshape(-1, 1, SIZE, SIZE)  # 1 becomes 0 and 0 becomes 255


def _spread_ink(
    target: UInt8[np.ndarray, "drawing pixel"], marks: UInt8[np.ndarray, "drawing pixel"], step: int
) -> None:
    """Add the marks moved by some pixels of the flat drawings; the free margin keeps them out of the next row."""
    to, of = target.reshape(-1), marks.reshape(-1)
    if step > 0:
        to[step:] |= of[:-step]
    else:
        to[:step] |= of[-step:]


SOFTER = smoother(5.0)
BENDS = np.concatenate([bumps(knots).T for knots in KNOTS])
