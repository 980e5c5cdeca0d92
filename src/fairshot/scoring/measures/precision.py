"""Precision: do samples lie where real drawings lie (Kynkäänniemi et al., NeurIPS 2019)?"""

from typing import TYPE_CHECKING

import numpy as np

from fairshot.scoring.class_features import PerClass
from fairshot.scoring.measures.measure import Measure

if TYPE_CHECKING:
    from fairshot.scoring.evidence import Evidence


class Precision(Measure):
    """One of four numbers about balls around images, out to a neighbour."""

    about = "share of samples within the balls of real drawings"
    unit = "share"
    compares_with_people = True
    place = 110

    def by_class(self, evidence: "Evidence") -> PerClass:
        """The precision of each class."""
        return np.array([manifold.precision for manifold in evidence.manifolds])
