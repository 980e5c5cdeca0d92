"""Drawings: a programme of strokes run by a hand with habits and slips of its own, and the pen that inks it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Bool, Float, Int, Shaped, UInt8

from fairshot.sources.glyphs import arithmetic
from fairshot.sources.glyphs.strokes import POINTS, SIZE, Curves, bumps, rotated, smoother, soften

MARGIN = 4  # the pen reaches at most 3 pixels beyond its point, so one row of paper stays free all around
KNOTS = (5, 16)  # along a stroke: slow bends of a loose hand, fast ones of a trembling hand
WHOLE = 6  # numbers behind a drawing as a whole: size, aspect, slant, turn, place
SLIP = 6 + 2 * sum(KNOTS)  # and behind each of its strokes: size, stretch, turn, how it misses its place; bends


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
