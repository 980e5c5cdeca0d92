"""Density: how crowded with real drawings are the places of samples (Naeem et al., ICML 2020)?"""

from typing import TYPE_CHECKING

import numpy as np

from fairshot.scoring.class_features import PerClass
from fairshot.scoring.measures.measure import Measure

if TYPE_CHECKING:
    from fairshot.scoring.evidence import Evidence


class Density(Measure):
    """One of four numbers about balls around images, out to a neighbour."""

    about = "balls of real drawings around a sample, of those that could be"
    compares_with_people = True
    place = 130

    def by_class(self, evidence: "Evidence") -> PerClass:
        """The density of each class."""
        return np.array([manifold.density for manifold in evidence.manifolds])
