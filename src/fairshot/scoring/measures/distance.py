"""How far a set is from people in both axes at once, by the means over classes."""

from typing import TYPE_CHECKING

from fairshot.scoring.class_features import PerClass
from fairshot.scoring.measures.measure import Measure

if TYPE_CHECKING:
    from fairshot.scoring.evidence import Evidence


class Distance(Measure):
    """The distance by which the verdict names the nearest set."""

    about = "to people, both axes in shares of theirs: 0 is people, 1 as far as copies, or as chance"
    higher_is_better = False
    compares_with_people = True
    compares_sets = True
    in_class_values = False
    place = 30

    def by_class(self, evidence: "Evidence") -> PerClass | None:
        """What each class adds to the distance; None where people set no scale."""
        scale = evidence.human_scale
        return None if scale.lacking else scale.shares(evidence.points)
