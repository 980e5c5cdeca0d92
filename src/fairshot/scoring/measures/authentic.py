"""Samples that are not a real image once more (Alaa et al., "How faithful is your synthetic data?", ICML 2022)."""

from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Bool, Float
from scipy.spatial.distance import cdist

from fairshot.scoring.class_features import PerClass
from fairshot.scoring.measures.measure import Measure

if TYPE_CHECKING:
    from fairshot.scoring.evidence import Evidence


class Authentic(Measure):
    """How many samples are no real drawing once more."""

    about = "share of samples farther from a real drawing than that one is from the next real one"
    unit = "share"
    compares_with_people = True
    place = 150

    def by_class(self, evidence: "Evidence") -> PerClass:
        """The share of each class."""
        return np.array([authentic(real, samples).mean() for real, samples in evidence.class_pairs])


def authentic(
    real: Float[np.ndarray, "real feature"], samples: Float[np.ndarray, "sample feature"]
) -> Bool[np.ndarray, " sample"]:
    """Which samples are farther from the real image nearest to them than that one is from its nearest other."""
    exact = real.astype(np.float64)
    apart = cdist(samples.astype(np.float64), exact)
    between = cdist(exact, exact)
    np.fill_diagonal(between, np.inf)
    return apart.min(axis=1) > between.min(axis=1)[apart.argmin(axis=1)]
