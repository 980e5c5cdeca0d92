"""The Vendi score: how many different samples there are in effect (Friedman and Dieng, TMLR 2023)."""

from typing import TYPE_CHECKING

import numpy as np

from fairshot.scoring.class_features import Features, PerClass, unit_vectors
from fairshot.scoring.measures.measure import Measure

if TYPE_CHECKING:
    from fairshot.scoring.evidence import Evidence


class Vendi(Measure):
    """How many samples of a class differ."""

    about = "different samples of a class, in effect"
    place = 100

    def by_class(self, evidence: "Evidence") -> PerClass:
        """The score of each class."""
        view = evidence.view
        return np.array([vendi_score(view.features[view.labels == c]) for c in range(view.classes)])


def vendi_score(features: Features) -> float:
    """The exponential of the entropy of the eigenvalues of the cosine kernel over n: 1 for copies, n at most."""
    units = unit_vectors(features)
    shares = np.linalg.eigvalsh(units @ units.T / len(units))
    shares = shares[shares > 1e-12]
    return float(np.exp(-(shares * np.log(shares)).sum()))
