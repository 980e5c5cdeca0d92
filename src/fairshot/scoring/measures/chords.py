"""The lengths of all chords between the samples of a class, in a critic's features (Boutin et al. 2022, Eq. 3)."""

from typing import TYPE_CHECKING

import numpy as np
from scipy.spatial.distance import pdist

from fairshot.scoring.class_features import Features, Labels, PerClass, features_by_class, unit_vectors
from fairshot.scoring.measures.measure import Measure

if TYPE_CHECKING:
    from fairshot.scoring.evidence import Evidence


class Chords(Measure):
    """The paper's other equation for diversity."""

    about = "sum over pairs of samples of sqrt(2 - 2 cos) (Eq. 3)"
    place = 90

    def by_class(self, evidence: "Evidence") -> PerClass:
        """The sum over all pairs of each class."""
        return chords_by_class(evidence.view.features, evidence.view.labels)


def chords_by_class(features: Features, labels: Labels) -> PerClass:
    """Eq. 3 for each label in order: the sum over all pairs of sqrt(2 - 2 cos), the distance of vectors of length one.

    A sum: only classes with as many samples can be compared.
    """
    return np.array([pdist(unit_vectors(samples)).sum() for samples in features_by_class(features, labels)])
