"""The Fréchet distance of two clouds of features (Heusel et al. 2017): with few samples it is too large."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Float

from fairshot.scoring.measures.measure import Measure

if TYPE_CHECKING:
    from fairshot.scoring.evidence import Evidence

ENOUGH = 10  # samples for each feature, below which a covariance is mostly noise
PARTS = (2, 5 / 3, 4 / 3, 1)  # what share of the samples is looked at for an extrapolation: evenly spaced in 1/N


class Frechet(Measure):
    """The distance of all samples to all drawings of people."""

    about = "Fréchet distance to the real drawings, all classes together"
    higher_is_better = False
    compares_with_people = True
    place = 160

    def whole(self, evidence: "Evidence") -> float:
        """The distance of the features of all classes."""
        return distance_of_clouds(evidence.human.cloud, evidence.cloud)


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
    distances = [distance_of_clouds(real, cloud_of(samples[:count])) for count in counts]
    return float(np.polyfit(1 / np.array(counts), distances, 1)[1])


def on_number(images: int, features: int) -> str:
    """What must be known of it and of the inception score where they stand on so many images, or more."""
    note = (
        f"the Fréchet distance and the inception score stand on {images:,} images: both move with their number, and "
        "only sets of as many can be compared"
    )
    wanted = ENOUGH * features
    few = f"; with {features} features the distance is too large below about {wanted:,}"
    return note + (few if images < wanted else "")
