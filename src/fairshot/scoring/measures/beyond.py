"""How many samples are more original than any drawing of people (Boutin et al., NeurIPS 2023)."""

from typing import TYPE_CHECKING

from fairshot.scoring.measures.measure import Measure

if TYPE_CHECKING:
    from fairshot.scoring.evidence import Evidence


class Beyond(Measure):
    """Samples out of people's range."""

    about = "share of samples that are more original than any human drawing"
    unit = "share"
    higher_is_better = False
    compares_with_people = True
    place = 70

    def whole(self, evidence: "Evidence") -> float:
        """The share of all samples."""
        return evidence.originality_curve.beyond
