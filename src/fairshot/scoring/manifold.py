"""Do samples lie where real images lie, and the other way round? Balls around images, out to their k-th neighbour.

Precision and recall: Kynkäänniemi et al., NeurIPS 2019; density and coverage: Naeem et al., ICML 2020.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float
from scipy.spatial.distance import cdist

NEIGHBOURS = 5

Real = Float[np.ndarray, "real feature"]
Samples = Float[np.ndarray, "sample feature"]


@dataclass(frozen=True)
class Manifold:
    """Four shares; all but density are at most 1."""

    precision: float
    """Of samples that are in the ball of a real image."""
    recall: float
    """Of real images that are in the ball of a sample."""
    density: float
    """Balls of real images that a sample is in, of the k that there would be if it were one of them."""
    coverage: float
    """Of real images with a sample in their ball."""
    neighbours: int


def compare_manifolds(real: Real, samples: Samples, neighbours: int = NEIGHBOURS) -> Manifold:
    """Of two sets of at least two images each; with few images balls reach as far as there are neighbours."""
    count = min(neighbours, len(real) - 1, len(samples) - 1)
    apart = cdist(real.astype(np.float64), samples.astype(np.float64))
    of_real = _inside(apart, _radii(real, count)[:, None])
    of_samples = _inside(apart, _radii(samples, count)[None, :])
    return Manifold(
        float(of_real.any(axis=0).mean()),
        float(of_samples.any(axis=1).mean()),
        float(of_real.sum(axis=0).mean() / count),
        float(of_real.any(axis=1).mean()),
        count,
    )


def _inside(
    apart: Float[np.ndarray, "real sample"], radii: Float[np.ndarray, "..."]
) -> Bool[np.ndarray, "real sample"]:
    """Strictly, or at the very place where copies leave a ball no room."""
    return (apart < radii) | ((apart == 0) & (radii == 0))


def _radii(features: Float[np.ndarray, "image feature"], count: int) -> Float[np.ndarray, " image"]:
    exact = features.astype(np.float64)
    return np.sort(cdist(exact, exact), axis=1)[:, count]  # the first is the image itself
