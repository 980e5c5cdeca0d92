"""Alphabets: a stock of strokes, and habits of joining them."""

from dataclasses import dataclass
from itertools import product

import numpy as np
from jaxtyping import Bool, Float

from fairshot.runtime.seeds import Stream
from fairshot.sources.glyphs import arithmetic, strokes
from fairshot.sources.glyphs.strokes import Curve, Curves

STROKES = 5  # at most, in a character


@dataclass(frozen=True)
class Poses:
    """An alphabet's strokes, in four turns and mirrored; upright ones are their own mirror image."""

    curves: Curves
    chance: Float[np.ndarray, " stroke"]
    upright: Bool[np.ndarray, " stroke"]
    loops: Float[np.ndarray, " stroke"]


@dataclass(frozen=True, kw_only=True)
class Alphabet:
    """A stock of strokes and the habits of joining them; what is chosen by chance has its running sums here.

    `second` is the size of later strokes against the first, `aspect` the logarithm of width against height.
    """

    poses: Poses
    any_pose: list[float]
    first_pose: list[float]
    upright_pose: list[float]
    counts: list[float]
    joins: list[float]
    own_joins: list[float]
    sides: list[float]
    apart: float
    dotted: float
    symmetric: float
    second: float
    size: float
    aspect: float


def invent_alphabet(seed: int, k: int) -> Alphabet:
    """The style of alphabet number k."""
    rng = Stream(seed, "glyphs", k, "style")
    poses = _invent_poses(rng)
    habits = rng.uniform(18)
    apart, dotted, symmetric, second, size, aspect = habits[2:8].tolist()
    # Its commonest stroke stands first in most of its characters, like the stem or the headline of real scripts.
    stem = 0.6 + 0.35 * habits[0]
    first = (1 - stem) * poses.chance
    first[poses.chance.argmax()] += stem
    # Alphabets range from plain to elaborate: most characters have about this many strokes.
    counts = arithmetic.exp(-0.8 * (np.arange(1, STROKES + 1) - 1.5 - 2.3 * habits[1]) ** 2)
    # The fourth power makes one or two places and sides the usual ones.
    fourth = (habits * habits) ** 2
    return Alphabet(
        poses=poses,
        any_pose=_running_sums(poses.chance),
        first_pose=_running_sums(first),
        upright_pose=_running_sums(poses.chance * poses.upright),
        counts=_running_sums(counts),
        joins=_running_sums(0.08 + fourth[8:11]),
        own_joins=_running_sums(0.08 + fourth[11:14]),
        sides=_running_sums(0.05 + fourth[14:18]),
        apart=0.05 + 0.25 * apart,
        dotted=max(0.0, 0.75 * dotted - 0.2),
        symmetric=0.45 * symmetric,
        second=0.5 + 0.28 * second,
        size=46 + 22 * size,
        aspect=1.3 * (aspect - 0.5),
    )


def _running_sums(weights: Float[np.ndarray, " choice"]) -> list[float]:
    """Shares of the weights, each added to those before it."""
    return np.cumsum(_shares(weights)).tolist()


def _invent_poses(rng: Stream) -> Poses:
    """Three or four strokes, with a roundness, a slope and proportions of the alphabet's own."""
    sharp, diagonal, tall, soft = rng.uniform(4)
    angular = bool(sharp < 0.35)
    facet = (np.pi / 4 if soft < 0.6 else np.pi / 2) if angular else 0.0
    liking = np.array([family.liking[int(angular)] for family in strokes.FAMILIES])
    liked = np.argsort(-arithmetic.power(rng.uniform(len(liking)), 1 / liking))
    count = 3 + int(rng.uniform(1)[0] * 2)
    # Sharp-cornered alphabets keep their corners, round ones turn them over up to a tenth of the stroke.
    rounding = strokes.smoother(0.8 if angular else 1.5 + 4 * soft)
    stretch = arithmetic.exp(np.array([0.4, -0.4]) * (tall - 0.5))
    chance, curves, loops = list[float](), list[Curve](), list[float]()
    for family in (strokes.FAMILIES[number] for number in liked):
        ride = strokes.ride(family, rng.uniform(len(family.legs), 3), facet=facet)
        clean = arithmetic.fused_product(rounding, ride)
        tilt, weight, flip = rng.uniform(3)
        squares = rng.uniform(4) ** 2
        turns = _shares(squares * squares * squares)
        loop = strokes.loop_width(clean)
        # A loop pressed flat, as some facets make it, cannot be seen.
        if 0 < loop < 0.25 or len(curves) == 8 * count:
            continue
        loops += [loop] * 8
        for turn, sign in product(range(4), (1, -1)):
            pose = strokes.rotated(clean, (turn + 0.5 * (tilt < 0.4 * diagonal)) * np.pi / 2) * stretch * [sign, 1]
            curves.append(pose - 0.5 * (pose.min(axis=0) + pose.max(axis=0)))
            chance.append((0.15 + weight * weight) * turns[turn] * (0.5 * flip if sign < 0 else 1 - 0.5 * flip))
    upright = np.array([strokes.mirror_error(pose[::2]) < 0.05 for pose in curves])
    return Poses(np.array(curves), _shares(np.array(chance)), upright, np.array(loops))


def _shares(weights: Float[np.ndarray, " choice"]) -> Float[np.ndarray, " choice"]:
    """The weights as chances; nothing stays nothing."""
    return weights / max(weights.sum(), 1e-9)
