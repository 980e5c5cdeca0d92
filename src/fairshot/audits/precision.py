"""How sure a mean and a difference are with other numbers of classes or parents: the interval that would be quoted.

With as many units as there are, these are the very intervals of the evaluation and the comparison. With more or fewer
units, what the units add to the variance falls or grows with their number, and so do the degrees of freedom; what
drawing episodes adds stays, as the audit would draw as many again.
"""

from dataclasses import dataclass, replace

import numpy as np

from fairshot.audits.findings import POINT, Precision
from fairshot.metrics.accuracy import Accuracy
from fairshot.results.evaluation import Evaluation
from fairshot.statistics.answers import Answers, Layout
from fairshot.statistics.estimate import Spread
from fairshot.statistics.intervals.populations import spread_over

SIZES = {"classes": (10, 20, 40, 80, 160, 320, 640), "parents": (5, 10, 20, 40, 80, 160)}
MOST_UNITS = 1 << 24  # beyond so many, a point is not in reach


@dataclass(frozen=True)
class Sureness:
    """The spread of a score or a difference over some units, to be asked about other numbers of them."""

    spread: Spread
    counted: int
    """How many units there are."""
    difference: bool = False
    worst: float | None = None
    """The score of a hopeless class, for a score that is none of a difference."""

    def at(self, units: int) -> Spread:
        """The spread over so many units, drawn as these were."""
        times = self.counted / units
        return replace(
            self.spread,
            variance=self.spread.variance * times,
            noise=self.spread.noise * times,
            unit_degrees=max(self.spread.unit_degrees * (units - 1) / max(self.counted - 1, 1), 1.0),
            units=units if self.spread.units else 0,
        )

    def half_width(self, units: int) -> float | None:
        """Half the width of the interval for other units, if there were so many; None where there would be none."""
        interval = self.at(units).estimate(difference=self.difference, worst=self.worst).interval
        return None if interval is None else (interval[1] - interval[0]) / 2

    def needed(self, half: float = POINT) -> int | None:
        """The fewest units with which half the width is no more than that; None where no number of them does it.

        0 where the units do not differ beyond noise, so that nothing is known of how many it takes.
        """
        if self.spread.variance <= 0:
            return 0
        if not self._reached(MOST_UNITS, half):
            return None
        fewest, enough = 1, MOST_UNITS
        while enough - fewest > 1:
            middle = (fewest + enough) // 2
            fewest, enough = (fewest, middle) if self._reached(middle, half) else (middle, enough)
        return enough

    def _reached(self, units: int, half: float) -> bool:
        width = self.half_width(units)
        return width is not None and width <= half


def precision_of(usual: Evaluation, population: str) -> tuple[tuple[Precision, ...], int | None]:
    """Half-widths of the first learner's mean and of its lead, by the number of units; and the units for one point."""
    mean, lead = (_sureness(usual, population, difference=difference) for difference in (False, True))
    if mean is None:
        return (), None
    sizes = sorted({*SIZES[population], mean.counted})
    curve = [
        Precision(
            population=population,
            units=size,
            mean=mean.half_width(size),
            difference=None if lead is None else lead.half_width(size),
        )
        for size in sizes
    ]
    return tuple(curve), mean.needed()


def _sureness(usual: Evaluation, population: str, *, difference: bool) -> Sureness | None:
    first, second = usual.rows[:2]
    answers, scores = usual.answers(first), usual.scores(first)[0].values
    if difference:
        answers, scores = _minus(answers, usual.answers(second)), scores - usual.scores(second)[0].values
    spread = spread_over(population, answers, scores)
    if isinstance(spread, str):
        return None
    worst = None if difference else Accuracy().of_hopeless(float((1 / answers.way).mean()))
    return Sureness(spread, count_units(answers.layout, population), difference=difference, worst=worst)


def count_units(layout: Layout, population: str) -> int:
    """How many parents there are, or classes, of which those that are made of one another count once."""
    return len(np.unique(layout.parents if population == "parents" else layout.units))


def _minus(one: Answers, other: Answers) -> Answers:
    """What the one answers minus what the other does."""
    values = None if one.values is None or other.values is None else one.values - other.values
    return replace(one, correct=one.correct - other.correct, values=values)
