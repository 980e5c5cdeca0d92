"""A Measure: one number by which a set of samples is measured. Each is a file of this folder with a class of its name.

A new one derives from `Measure` and gives one number a class (`by_class`) or one for the whole set (`whole`). It is
found by the name of its file, here or in the folder `scoring/measures` of a plugin; rows, tables and intervals follow.
"""

import re
from abc import ABC
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from fairshot.runtime.errors import FairshotError, kind_of
from fairshot.scoring.class_features import PerClass
from fairshot.scoring.class_values import Parents, class_values_apart, over_class_values
from fairshot.specs.registry import find_class, names
from fairshot.statistics.comparison import Difference
from fairshot.statistics.estimate import Estimate
from fairshot.tables.table import Unit

if TYPE_CHECKING:
    from fairshot.scoring.evidence import Evidence, Measurement


class Measure(ABC):
    """What one number says about samples, and how it is found."""

    about: ClassVar[str]
    """What the number is, in a line."""
    unit: ClassVar[Unit] = ""
    higher_is_better: ClassVar[bool] = True
    compares_with_people: ClassVar[bool] = False
    """Whether the number is a comparison with people's drawings, so that these have none themselves."""
    compares_sets: ClassVar[bool] = False
    """Whether every two sets are compared by it, class by class."""
    in_class_values: ClassVar[bool] = True
    """Whether its numbers by class are numbers of the classes themselves, to be kept as such."""
    place: ClassVar[int] = 1000
    """Where it stands in tables: smaller numbers come first."""

    @property
    def name(self) -> str:
        """What it is called: the name of its file."""
        return re.sub(r"(?<!^)(?=[A-Z])", "_", type(self).__name__).lower()

    @property
    def bounds(self) -> tuple[float, float]:
        """What values are possible; intervals stay within."""
        return (0.0, 1.0 if self.unit == "share" else np.inf)

    def by_class(self, evidence: "Evidence") -> PerClass | None:
        """One number for each class, whose mean is the number of the set; None where there is none."""
        return None

    def whole(self, evidence: "Evidence") -> float | None:
        """One number for all classes together; None where there is none."""
        return None

    def estimates(self, measurement: "Measurement", parents: Parents | None) -> dict[str, Estimate]:
        """The mean over classes, with an interval for other classes, and for other parents where classes have some."""
        values = measurement.values[self.name]
        groups = {"classes": None} | ({} if parents is None else {"parents": parents})
        return {
            population: over_class_values(values, bounds=self.bounds, parents=group)
            for population, group in groups.items()
        }

    def difference(self, first: "Measurement", second: "Measurement", parents: Parents | None) -> Difference:
        """How much larger the number of the first set is, over other parents, or other classes where none have any."""
        return class_values_apart(first.values[self.name], second.values[self.name], parents=parents)


def find_measures(extra: Sequence[Measure] = ()) -> dict[str, Measure]:
    """All measures by name, in the order of tables: those of the package, of plugins, and what is given beside them."""
    measures: list[Measure] = [find_class("measures", name)() for name in names("measures")]
    found: dict[str, Measure] = {}
    for measure in sorted([*measures, *extra], key=lambda measure: (measure.place, measure.name)):
        if not isinstance(measure, Measure):
            raise FairshotError(f"a measure is {kind_of(measure)}: give objects of classes derived from Measure")
        if measure.name in found:
            raise FairshotError(f"two measures are called {measure.name}: rename one")
        found[measure.name] = measure
    return found
