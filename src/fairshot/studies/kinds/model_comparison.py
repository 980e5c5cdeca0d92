"""Models beside one another and beside people: where each lies in the plane, and which claims about that hold."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fairshot.results.schema import Result
from fairshot.results.study_rows import SampleResult
from fairshot.statistics.estimate import Estimate
from fairshot.studies.kinds.claim import Claim
from fairshot.studies.kinds.generator_study import GeneratorStudy
from fairshot.studies.kinds.plane import Plane
from fairshot.studies.kinds.plane_tables import plane_tables
from fairshot.tables.table import Table


@dataclass(frozen=True)
class Contrast:
    """A claim that one model has more of a measure than another; with several pairs, that all of them do."""

    text: str
    axis: str
    pairs: tuple[tuple[str, str], ...]
    """The larger first."""

    def claim(self, plane: Plane) -> Claim:
        """The least clear of all differences, or one that goes the other way."""
        estimates = [plane.difference(one, other, self.axis) for one, other in self.pairs]
        about = f"{self.axis}: " + "; ".join(f"{one} minus {other}" for one, other in self.pairs)
        if len(self.pairs) > 1:
            about += " (the number is the least clear of these)"
        known = [estimate for estimate in estimates if estimate is not None]
        return Claim(self.text, about, weakest(known) if len(known) == len(estimates) else None)


def weakest(estimates: Sequence[Estimate]) -> Estimate:
    """The estimate that decides whether all are above 0: one clearly below it, else the one that reaches lowest."""
    against = [estimate for estimate in estimates if estimate.high is not None and estimate.high < 0]
    if against:
        return min(against, key=lambda estimate: estimate.value)
    return min(estimates, key=lambda estimate: -float("inf") if estimate.low is None else estimate.low)


@dataclass(frozen=True, kw_only=True)
class ModelComparison(GeneratorStudy):
    """Models that differ in kind, or in one setting that has no order."""

    contrasts: tuple[Contrast, ...] = ()

    @property
    def claim_texts(self) -> list[str]:
        """One of each contrast."""
        return [contrast.text for contrast in self.contrasts]

    def claims(self, plane: Plane) -> Iterator[Claim]:
        """The contrasts, with their numbers."""
        return (contrast.claim(plane) for contrast in self.contrasts)

    def tables(self, result: Result) -> list[Table]:
        """Positions and distances by each pair of critics, claims, and trainings."""
        assert isinstance(result, SampleResult)
        return plane_tables(result)
