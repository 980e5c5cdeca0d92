"""How often samples are recognised as what they are of, among the classes of an episode (Boutin et al. 2022)."""

from typing import TYPE_CHECKING

from fairshot.scoring.class_features import PerClass
from fairshot.scoring.class_values import Parents
from fairshot.scoring.measures.measure import Measure
from fairshot.scoring.recognition import recognised_more
from fairshot.statistics.comparison import Difference
from fairshot.statistics.estimate import Estimate

if TYPE_CHECKING:
    from fairshot.scoring.evidence import Evidence, Measurement


class Recognizability(Measure):
    """The second axis: whether samples are still of their class."""

    about = "share of samples that the recogniser takes for their own class"
    unit = "share"
    compares_sets = True
    place = 20

    def by_class(self, evidence: "Evidence") -> PerClass:
        """The share of right answers of each class."""
        return evidence.recognition.by_class

    def estimates(self, measurement: "Measurement", parents: Parents | None) -> dict[str, Estimate]:
        """Over other classes alone, as asked for and as rivals: episodes mix parents."""
        return {"classes": measurement.evidence.recognition.estimate}

    def difference(self, first: "Measurement", second: "Measurement", parents: Parents | None) -> Difference:
        """In the same trials, over other classes."""
        return recognised_more(first.evidence.recognition, second.evidence.recognition)
