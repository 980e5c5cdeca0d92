"""The Fréchet distance of two clouds of features (Heusel et al. 2017), and the inception score (Salimans et al. 2016).

Both are known to mislead with few samples: the distance is biased upwards, the score downwards.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float

ENOUGH = 10  # samples for each feature, below which a covariance is mostly noise
PARTS = (2, 5 / 3, 4 / 3, 1)  # what share of the samples is looked at for an extrapolation: evenly spaced in 1/N


@dataclass(frozen=True, eq=False)
class Cloud:
    """Features as if they were Gaussian: their mean and covariance."""

    mean: Float[np.ndarray, " feature"]
    covariance: Float[np.ndarray, "feature feature"]

    @cached_property
    def root(self) -> Float[np.ndarray, "feature feature"]:
        """The covariance's own square root."""
        values, vectors = np.linalg.eigh(self.covariance)
        return (vectors * np.sqrt(np.maximum(values, 0))) @ vectors.T


def cloud_of(features: Float[np.ndarray, "sample feature"]) -> Cloud:
    """The mean and the covariance (n - 1) of some features."""
    exact = features.astype(np.float64)
    return Cloud(exact.mean(axis=0), np.atleast_2d(np.cov(exact, rowvar=False)))


def distance_of_clouds(one: Cloud, other: Cloud) -> float:
    """Squared distance of the means plus that of the covariances."""
    gap = one.mean - other.mean
    # The trace of (A B)^(1/2) is the sum of the singular values of A^(1/2) B^(1/2).
    common = np.linalg.svd(one.root @ other.root, compute_uv=False).sum()
    return float(max(gap @ gap + np.trace(one.covariance) + np.trace(other.covariance) - 2 * common, 0.0))


def frechet_distance(real: Float[np.ndarray, "real feature"], samples: Float[np.ndarray, "sample feature"]) -> float:
    """Of two sets of features, each as if it were Gaussian."""
    return distance_of_clouds(cloud_of(real), cloud_of(samples))


def extrapolated_distance(real: Cloud, samples: Float[np.ndarray, "sample feature"]) -> float:
    """What infinitely many samples would give, as a straight line in 1/N says (Chong and Forsyth, CVPR 2020).

    The line goes through the distances of the first half of the samples, of more of them and of all: they must be in
    random order. It may end below 0, where no distance can be.
    """
    counts = [max(2, round(len(samples) / part)) for part in PARTS]
    found = [distance_of_clouds(real, cloud_of(samples[:count])) for count in counts]
    return float(np.polyfit(1 / np.array(counts), found, 1)[1])


def inception_score(probabilities: Float[np.ndarray, "sample class"]) -> float:
    """How sure the answers are and how evenly they use all classes: from 1 to the number of classes."""
    shares = probabilities.astype(np.float64)
    mean = shares.mean(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(shares > 0, shares * (np.log(shares) - np.log(mean)), 0)
    return float(np.exp(terms.sum(axis=1).mean()))


def on_number(images: int, features: int) -> str:
    """What must be known of both where they stand on so many images, or more."""
    told = (
        f"the Fréchet distance and the inception score stand on {images:,} images: both move with their number, and "
        "only sets of as many can be compared"
    )
    wanted = ENOUGH * features
    few = f"; with {features} features the distance is too large below about {wanted:,}"
    return told + (few if images < wanted else "")
