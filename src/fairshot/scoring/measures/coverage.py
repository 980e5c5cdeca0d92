"""Coverage: which real drawings have a sample nearby (Naeem et al., ICML 2020)?"""

from typing import TYPE_CHECKING

import numpy as np

from fairshot.scoring.class_features import PerClass
from fairshot.scoring.measures.measure import Measure

if TYPE_CHECKING:
    from fairshot.scoring.evidence import Evidence


class Coverage(Measure):
    """One of four numbers about balls around images, out to a neighbour."""

    about = "share of real drawings with a sample in their ball"
    unit = "share"
    compares_with_people = True
    place = 140

    def by_class(self, evidence: "Evidence") -> PerClass:
        """The coverage of each class."""
        return np.array([manifold.coverage for manifold in evidence.manifolds])
