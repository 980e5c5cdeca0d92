"""How far samples are from their exemplar, in a critic's features (Boutin et al., NeurIPS 2023)."""

from typing import TYPE_CHECKING

from fairshot.scoring.class_features import PerClass
from fairshot.scoring.measures.measure import Measure

if TYPE_CHECKING:
    from fairshot.scoring.evidence import Evidence


class Originality(Measure):
    """How far samples go from what was shown."""

    about = "mean distance to the exemplar in the critic's features"
    place = 60

    def by_class(self, evidence: "Evidence") -> PerClass:
        """The mean over the images of each class."""
        return evidence.view.mean_by_class(evidence.originality)
