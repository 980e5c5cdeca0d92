"""Likeness: a few numbers of an image that stay the same when it is copied with a change.

An image becomes 32 x 32 greys under a soft window, and of these the strengths of low frequencies are kept. A shift
changes the phases of frequencies and not their strengths, an inversion neither; mirrors and quarter turns swap
frequencies of one size, whose strengths are therefore sorted; recompression and brightness hardly touch low ones.
Different images can be as near as a copy where all images are simple. So a copy is told by how much nearer it is than
other images usually come.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from jaxtyping import Float, Float32, Int, Int8, Shaped

from fairshot.runtime.seeds import Stream

SIDE = 32  # greys in width and height: details that a compression leaves
HIGHEST = 5  # cycles over the width; four lose different images, six lose slightly cropped copies
HEAPS = 10  # random heaps of images: the nearest of each is looked at, the usual one of these is what nearness means
LEAST = 4 * HEAPS  # images; of fewer no heap has a usual nearest one
BLOCK = 1 << 22  # distances held at a time
BYTES = 16  # that an image takes in a file: of 40 strengths, these directions tell most images apart
FAINT = 1e-2  # of the root of a grey: what rounding leaves of an image without any detail

Greys = Float32[np.ndarray, "image 32 32"]
Likeness = Float32[np.ndarray, "image strength"]


@dataclass(frozen=True)
class Nearest:
    """For each image the nearest of every heap of others, and how near it is measured by the usual heap's nearest."""

    places: Int[np.ndarray, "image heap"]
    ratios: Float[np.ndarray, "image heap"]


def as_greys(stored: Shaped[np.ndarray, "image channel height width"]) -> Greys:
    """Images of any size as squares of greys, by the mean over the area of each."""
    grey = stored.mean(axis=1, dtype=np.float32)
    return area_means(grey.shape[1], SIDE) @ grey @ area_means(grey.shape[2], SIDE).T


def area_means(before: int, after: int) -> Float32[np.ndarray, "after before"]:
    """The matrix that turns a line of `before` pixels into `after` means over equal lengths."""
    edges = np.linspace(0, before, after + 1)
    pixels = np.arange(before)
    shared = np.minimum(edges[1:, None], pixels + 1) - np.maximum(edges[:-1, None], pixels)
    return (shared.clip(0) * after / before).astype(np.float32)


def likeness(greys: Greys) -> Likeness:
    """The strengths of low frequencies, each a share of all of them; an image without any gets zeros."""
    waves, groups = _waves()
    parts = (greys.reshape(len(greys), -1) @ waves).reshape(len(greys), -1, 2)
    strengths = np.hypot(parts[:, :, 0], parts[:, :, 1])
    for group in groups:
        strengths[:, group] = np.sort(strengths[:, group], axis=1)
    roots = np.sqrt(strengths)  # else the lowest would decide alone
    length = np.linalg.norm(roots, axis=1, keepdims=True)
    return roots / np.where(length > FAINT, length, np.inf)


@lru_cache(maxsize=1)
def _waves() -> tuple[Float32[np.ndarray, "pixel part"], list[slice]]:
    """A cosine and a sine of each low frequency under a soft window, blind to the mean under it, as columns.

    Frequencies that mirrors and quarter turns swap stand side by side; the slices are these groups.
    """
    half = np.sqrt(np.hanning(SIDE + 2)[1:-1])
    window = np.outer(half, half) / half.sum() ** 2
    turns = 2 * np.pi * np.arange(SIDE) / SIDE
    columns, groups = list[np.ndarray](), list[slice]()
    for low in range(HIGHEST + 1):
        for high in range(max(low, 1), HIGHEST + 1):
            if low**2 + high**2 > HIGHEST**2:
                continue
            # Opposite frequencies are as strong as each other: one of the two is enough.
            swapped = {(low, high), (high, low)} | ({(low, -high), (high, -low)} if low else set())
            distinct = sorted({max(pair, (-pair[0], -pair[1])) for pair in swapped})
            groups.append(slice(len(columns) // 2, len(columns) // 2 + len(distinct)))
            for down, right in distinct:
                angle = down * turns[:, None] + right * turns
                for wave in (np.cos(angle), np.sin(angle)):
                    columns.append((window * (wave - np.sum(window * wave))).ravel())
    return np.stack(columns, axis=1).astype(np.float32), groups


def find_nearest(
    queries: Likeness,
    references: Float32[np.ndarray, "reference strength"],
    *,
    own: Int[np.ndarray, " image"] | None = None,
) -> Nearest | None:
    """The nearest references of each query; `own` is the query's place among them, which does not count.

    None if there are too few to tell what is near.
    """
    if len(references) < LEAST:
        return None
    order = Stream(0, "likeness").permutations(np.array([len(references)]))[0]
    heaps = [np.sort(order[number::HEAPS]) for number in range(HEAPS)]
    places = np.empty((len(queries), HEAPS), dtype=np.int64)
    distances = np.empty((len(queries), HEAPS), dtype=np.float32)
    step = max(1, BLOCK // len(heaps[0]))
    for number, heap in enumerate(heaps):
        chosen = references[heap]
        sizes = np.square(chosen).sum(axis=1)
        for start in range(0, len(queries), step):
            some = slice(start, start + step)
            apart = sizes - 2 * queries[some] @ chosen.T
            if own is not None:
                apart[own[some][:, None] == heap] = np.inf
            best = apart.argmin(axis=1)
            places[some, number] = heap[best]
            distances[some, number] = apart[np.arange(len(best)), best]
    distances += np.square(queries).sum(axis=1)[:, None]
    usual = np.median(distances, axis=1, keepdims=True)
    return Nearest(places, distances.clip(0) / np.maximum(usual, 1e-6))


@dataclass(frozen=True, eq=False)
class Packed:
    """The likeness of many images in sixteen bytes each: how far they lie along the directions they differ most in."""

    codes: Int8[np.ndarray, "image direction"]
    axes: Float32[np.ndarray, "axis strength"]
    """The middle of all images, then the directions, as long as one step of a code."""

    @property
    def images(self) -> Likeness:
        """What is left of the likeness of each image."""
        return self.axes[0] + self.codes.astype(np.float32) @ self.axes[1:]

    def seen_along(self, others: Likeness) -> Likeness:
        """What is left of others along the same directions."""
        directions = self.axes[1:] / np.linalg.norm(self.axes[1:], axis=1, keepdims=True)
        return self.axes[0] + (others - self.axes[0]) @ directions.T @ directions


def pack(images: Likeness) -> Packed:
    """The likeness of images, made small."""
    middle = images.mean(axis=0)
    around = images - middle
    _, directions = np.linalg.eigh((around.T @ around).astype(np.float64))
    kept = directions[:, ::-1][:, :BYTES].astype(np.float32)
    along = around @ kept
    step = max(float(np.abs(along).max(initial=0)) / 127, 1e-6)
    axes = np.ascontiguousarray(np.concatenate([middle[None], step * kept.T]))
    return Packed(np.rint(along / step).astype(np.int8, order="C"), axes)
