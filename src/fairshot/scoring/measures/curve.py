"""How far samples are from people's recognizability at the same originality (Boutin et al., NeurIPS 2023)."""

from typing import TYPE_CHECKING

from fairshot.scoring.measures.measure import Measure

if TYPE_CHECKING:
    from fairshot.scoring.evidence import Evidence


class Curve(Measure):
    """The distance between two curves of recognizability over originality."""

    about = "how far recognizability at the same originality is from people's"
    unit = "share"
    higher_is_better = False
    compares_with_people = True
    place = 80

    def whole(self, evidence: "Evidence") -> float | None:
        """The mean over bands of originality; None where too few of them hold samples."""
        return evidence.originality_curve.distance
