"""The Fréchet distance of two clouds of features (Heusel et al. 2017), and the inception score (Salimans et al. 2016).

Both are known to mislead with few samples: the distance is biased upwards, the score downwards.
"""

import numpy as np
from jaxtyping import Float

ENOUGH = 10  # samples for each feature, below which a covariance is mostly noise


def frechet_distance(real: Float[np.ndarray, "real feature"], samples: Float[np.ndarray, "sample feature"]) -> float:
    """Squared distance of the means plus that of the covariances, as if both clouds were Gaussian."""
    first, second = (each.astype(np.float64) for each in (real, samples))
    gap = first.mean(axis=0) - second.mean(axis=0)
    one, other = (np.atleast_2d(np.cov(each, rowvar=False)) for each in (first, second))
    # The trace of (A B)^(1/2) is the sum of the singular values of A^(1/2) B^(1/2).
    common = np.linalg.svd(_root(one) @ _root(other), compute_uv=False).sum()
    return float(max(gap @ gap + np.trace(one) + np.trace(other) - 2 * common, 0.0))


def inception_score(probabilities: Float[np.ndarray, "sample class"]) -> float:
    """How sure the answers are and how evenly they use all classes: from 1 to the number of classes."""
    shares = probabilities.astype(np.float64)
    mean = shares.mean(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(shares > 0, shares * (np.log(shares) - np.log(mean)), 0)
    return float(np.exp(terms.sum(axis=1).mean()))


def too_few(images: int, features: int) -> str | None:
    """Why a Fréchet distance of so many images, or more, should not be believed; None if it may."""
    wanted = ENOUGH * features
    if images >= wanted:
        return None
    return (
        f"the Fréchet distance stands on {images:,} images and {features} features: below about {wanted:,} it is too "
        "large, and only distances with as many images can be compared"
    )


def _root(matrix: Float[np.ndarray, "feature feature"]) -> Float[np.ndarray, "feature feature"]:
    values, vectors = np.linalg.eigh(matrix)
    return (vectors * np.sqrt(np.maximum(values, 0))) @ vectors.T
