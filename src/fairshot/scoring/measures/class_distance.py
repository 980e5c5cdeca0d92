"""How far the classes of a set are from the same classes of people, on average."""

from typing import TYPE_CHECKING

from fairshot.scoring.class_features import PerClass
from fairshot.scoring.measures.measure import Measure

if TYPE_CHECKING:
    from fairshot.scoring.evidence import Evidence


class ClassDistance(Measure):
    """The second distance that the verdict looks at."""

    about = "the mean over classes of the same, class by class"
    higher_is_better = False
    compares_with_people = True
    compares_sets = True
    place = 40

    def by_class(self, evidence: "Evidence") -> PerClass | None:
        """The distance of each class to the same class of people's; None where people set no scale."""
        scale = evidence.human_scale
        return None if scale.lacking else scale.class_distances(evidence.points)
