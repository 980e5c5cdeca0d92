"""How different the samples of a class are, in a critic's features (Boutin et al. 2022, Eq. 2).

The scale belongs to the critic: diversities by different critics cannot be compared, only their ranks.
"""

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import gammaln

from fairshot.scoring.class_features import Features, Labels, PerClass, features_by_class
from fairshot.scoring.measures.measure import Measure

if TYPE_CHECKING:
    from fairshot.scoring.evidence import Evidence


class Diversity(Measure):
    """The first axis: how much the samples of a class differ."""

    about = "mean deviation of the samples of a class over the critic's features (Eq. 2)"
    compares_sets = True
    place = 10

    def by_class(self, evidence: "Evidence") -> PerClass:
        """The mean deviation of the features of each class."""
        return deviation_by_class(evidence.view.features, evidence.view.labels)


def deviation_by_class(features: Features, labels: Labels) -> PerClass:
    """Eq. 2 for each label in order: the mean over the features of their standard deviation, with Bessel's correction.

    The paper leaves open how features become one number; the mean of deviations is what its code does, and the only
    reading that gives its published scale.
    """
    # Measured from the first sample, copies differ by nothing at all.
    classes = features_by_class(features, labels)
    return np.array([(samples - samples[0]).std(axis=0, ddof=1).mean() for samples in classes])


def deviation_share(samples: int) -> float:
    """What share of the true deviation that of so many normal samples is on average: its root undoes Bessel's work."""
    return float(np.sqrt(2 / (samples - 1)) * np.exp(gammaln(samples / 2) - gammaln((samples - 1) / 2)))
