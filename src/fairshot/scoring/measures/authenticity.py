"""Samples that are not a real image once more (Alaa et al., "How faithful is your synthetic data?", ICML 2022)."""

import numpy as np
from jaxtyping import Bool, Float
from scipy.spatial.distance import cdist


def authentic(
    real: Float[np.ndarray, "real feature"], samples: Float[np.ndarray, "sample feature"]
) -> Bool[np.ndarray, " sample"]:
    """Which samples are farther from the real image nearest to them than that one is from its nearest other."""
    exact = real.astype(np.float64)
    apart = cdist(samples.astype(np.float64), exact)
    between = cdist(exact, exact)
    np.fill_diagonal(between, np.inf)
    return apart.min(axis=1) > between.min(axis=1)[apart.argmin(axis=1)]
