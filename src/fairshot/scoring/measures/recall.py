"""Recall: do real drawings lie where samples lie (Kynkäänniemi et al., NeurIPS 2019)?"""

from typing import TYPE_CHECKING

import numpy as np

from fairshot.scoring.class_features import PerClass
from fairshot.scoring.measures.measure import Measure

if TYPE_CHECKING:
    from fairshot.scoring.evidence import Evidence


class Recall(Measure):
    """One of four numbers about balls around images, out to a neighbour."""

    about = "share of real drawings within the balls of samples"
    unit = "share"
    compares_with_people = True
    place = 120

    def by_class(self, evidence: "Evidence") -> PerClass:
        """The recall of each class."""
        return np.array([manifold.recall for manifold in evidence.manifolds])
