"""How different the samples of a class are, in a critic's features (Boutin et al. 2022, Eq. 2 and 3).

The scale belongs to the critic: diversities by different critics cannot be compared, only their ranks.
"""

import numpy as np
from jaxtyping import Float, Int
from scipy.spatial.distance import pdist
from scipy.special import gammaln

from fairshot.runtime.errors import FairshotError

Features = Float[np.ndarray, "image feature"]
Labels = Int[np.ndarray, " image"]
PerClass = Float[np.ndarray, " class"]


def deviation_by_class(features: Features, labels: Labels) -> PerClass:
    """Eq. 2 for each label in order: the mean over the features of their standard deviation, with Bessel's correction.

    The paper leaves open how features become one number; the mean of deviations is what its code does, and the only
    reading that gives its published scale.
    """
    # Measured from the first sample, copies differ by nothing at all.
    return np.array([(own - own[0]).std(axis=0, ddof=1).mean() for own in _apart(features, labels)])


def deviation_share(samples: int) -> float:
    """What share of the true deviation that of so many normal samples is on average: its root undoes Bessel's work."""
    return float(np.sqrt(2 / (samples - 1)) * np.exp(gammaln(samples / 2) - gammaln((samples - 1) / 2)))


def chords_by_class(features: Features, labels: Labels) -> PerClass:
    """Eq. 3 for each label in order: the sum over all pairs of sqrt(2 - 2 cos), the distance of vectors of length one.

    A sum: only classes with as many samples can be compared.
    """
    return np.array([pdist(unit_vectors(own)).sum() for own in _apart(features, labels)])


def unit_vectors(features: Features) -> Features:
    """Brought to length one; a vector of zeros stays where it is."""
    exact = features.astype(np.float64)
    lengths = np.linalg.norm(exact, axis=1, keepdims=True)
    return exact / np.where(lengths > 0, lengths, 1)


def _apart(features: Features, labels: Labels) -> list[np.ndarray]:
    order = np.argsort(labels, kind="stable")
    classes, starts, counts = np.unique(labels[order], return_index=True, return_counts=True)
    if counts.min() < 2:
        raise FairshotError(f"class {classes[counts.argmin()]} has one sample, and diversity needs two: give more")
    return np.split(features[order].astype(np.float64), starts[1:])
