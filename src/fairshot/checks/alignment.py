"""Whether two images are copies: one is turned, mirrored, shifted and zoomed to lie on the other as well as it can."""

import numpy as np
from jaxtyping import Float, Float32, Int

from fairshot.sources.images.likeness import SIDE, Greys, area_means

COARSE = 12  # greys in width and height by which a turn is chosen: a shift by a pixel hardly shows
EDGE = 3  # greys along the edge that a shift may bring in from outside
BLURS = (2.0, 2.0, 1.0, 1.0, 0.7)  # greys; from coarse to fine, a step of alignment at each
FARTHEST = np.array([3.0, 3.0, 0.12])  # shift in greys and zoom that a copy may have
STEPS = FARTHEST / 2
SLAB = 512  # pairs at a time
PLACES = (np.arange(SIDE) - (SIDE - 1) / 2).astype(np.float32)

Vectors = Float32[np.ndarray, "*stack pixel"]
Moves = Float[np.ndarray, "pair 3"]


def agreement(first: Greys, second: Greys) -> tuple[Float[np.ndarray, " pair"], Int[np.ndarray, " pair"]]:
    """The correlation of each pair once the second lies on the first (below zero: inverted), and which turn it took."""
    found = [_agreement(first[at : at + SLAB], second[at : at + SLAB]) for at in range(0, len(first), SLAB)]
    correlations, turns = zip(*found, strict=True) if found else ((), ())
    return np.concatenate([np.empty(0), *correlations]), np.concatenate([np.empty(0, dtype=np.int64), *turns])


def change_names(correlations: Float[np.ndarray, " pair"], turns: Int[np.ndarray, " pair"]) -> tuple[str, ...]:
    """What was done to each second image, in words."""
    names = []
    for correlation, turn in zip(correlations.tolist(), turns.tolist(), strict=True):
        quarter, mirrored = divmod(turn, 2)
        done = {"mirrored": mirrored, "turned": quarter, "inverted": correlation < 0}
        words = [word for word, was in done.items() if was]
        names.append(" and ".join(words) or "shifted, cropped or recompressed")
    return tuple(names)


def _agreement(first: Greys, second: Greys) -> tuple[Float[np.ndarray, " pair"], Int[np.ndarray, " pair"]]:
    coarse = area_means(SIDE, COARSE)
    small = unit((coarse @ first @ coarse.T).reshape(len(first), -1))
    turned = unit(_turned(coarse @ second @ coarse.T).reshape(8, len(second), -1))
    alike = np.abs(np.einsum("np,tnp->tn", small, turned))
    turn = alike.argmax(axis=0)
    return _aligned(first, _turned(second)[turn, np.arange(len(second))]), turn


def _turned(images: Float32[np.ndarray, "pair side side"]) -> Float32[np.ndarray, "8 pair side side"]:
    """Four quarter turns, each as it is and mirrored."""
    turns = [np.rot90(images, quarter, axes=(1, 2)) for quarter in range(4)]
    return np.stack([view for turn in turns for view in (turn, turn[:, :, ::-1])])


def unit(vectors: Vectors) -> Vectors:
    """Vectors of length one around their mean; zeros where there is no detail."""
    centred = vectors - vectors.mean(axis=-1, keepdims=True)
    length = np.linalg.norm(centred, axis=-1, keepdims=True)
    return centred / np.where(length > 1e-3, length, np.inf)


def _aligned(first: Greys, second: Greys) -> Float[np.ndarray, " pair"]:
    """Gauss-Newton steps over shift and zoom, as Lucas and Kanade align images, and the correlation they end with."""
    moves = np.zeros((len(first), 3))
    for blur in BLURS:
        soft = blurred(first, blur), blurred(second, blur)
        moves = np.clip(moves + _step(*soft, moves), -FARTHEST, FARTHEST)
    target, moved = _inner(blurred(first, BLURS[-1])), _inner(_moved(blurred(second, BLURS[-1]), moves))
    return (unit(target) * unit(moved)).sum(axis=1)


def _step(target: Greys, second: Greys, moves: Moves) -> Moves:
    """The small move after which the second fits the target best, up to contrast and brightness."""
    moved = _moved(second, moves)
    down, right = np.gradient(moved, axis=(1, 2))
    slopes = [moved, np.ones_like(moved), down, right, down * PLACES[:, None] + right * PLACES]
    table = np.stack([_inner(slope) for slope in slopes], axis=2)
    scale = np.maximum(np.linalg.norm(table, axis=1), 1e-6)
    table = table / scale[:, None]
    squares = table.transpose(0, 2, 1) @ table + 1e-3 * np.eye(len(slopes), dtype=np.float32)
    fitted = np.linalg.solve(squares, table.transpose(0, 2, 1) @ _inner(target)[:, :, None])[:, :, 0] / scale
    contrast = np.where(np.abs(fitted[:, :1]) > 1e-6, fitted[:, :1], np.inf)
    return np.clip(fitted[:, 2:] / contrast, -STEPS, STEPS)


def _moved(images: Greys, moves: Moves) -> Greys:
    """Each image read at places that are shifted and zoomed."""
    down, right, zoom = moves.T
    return _reading(down, zoom) @ images @ _reading(right, zoom).transpose(0, 2, 1)


def _reading(shift: Float[np.ndarray, " pair"], zoom: Float[np.ndarray, " pair"]) -> Greys:
    """For each pair the matrix that reads a line at other places, between its pixels."""
    places = PLACES * (1 + zoom[:, None]) + shift[:, None] + (SIDE - 1) / 2
    return np.maximum(0, 1 - np.abs(places.clip(0, SIDE - 1)[:, :, None] - np.arange(SIDE))).astype(np.float32)


def blurred(images: Greys, width: float) -> Greys:
    """Images seen through a Gaussian of that width."""
    weights = np.exp(-np.square(PLACES[:, None] - PLACES) / (2 * width**2))
    weights[weights < 1e-6] = 0  # numbers near the smallest there are make products many times slower
    weights = (weights / weights.sum(axis=1, keepdims=True)).astype(np.float32)
    return weights @ images @ weights.T


def _inner(images: Greys) -> Float32[np.ndarray, "pair pixel"]:
    return images[:, EDGE:-EDGE, EDGE:-EDGE].reshape(len(images), -1)
