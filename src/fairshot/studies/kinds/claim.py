"""A published claim as a number that is above 0 where it holds: agree, disagree, or cannot be told."""

from dataclasses import dataclass
from typing import Literal

from fairshot.results.study_rows import ClaimRow
from fairshot.statistics.estimate import Estimate

Verdict = Literal["agree", "disagree", "cannot be told"]


@dataclass(frozen=True)
class Claim:
    """A sentence, what its number is, and the number."""

    text: str
    about: str
    estimate: Estimate | None
    """None where what it speaks of was not run."""

    @property
    def verdict(self) -> Verdict:
        """By the interval: all of it on one side of 0, or not."""
        if self.estimate is None or self.estimate.low is None or self.estimate.high is None:
            return "cannot be told"
        if self.estimate.low > 0:
            return "agree"
        return "disagree" if self.estimate.high < 0 else "cannot be told"

    def row(self, critic: str, part: str, key: str) -> ClaimRow:
        """As a row of a result."""
        estimate = self.estimate
        return ClaimRow(
            learner=self.text,
            task=critic,
            part=part,
            metric="claim",
            episodes=0,
            episodes_key=key,
            per_query=False,
            difference=True,
            value=None if estimate is None else estimate.value,
            intervals={} if estimate is None else {estimate.population: estimate.interval},
            headline="" if estimate is None else estimate.population,
            notes=["not all that it speaks of was run"]
            if estimate is None
            else [estimate.reason] * bool(estimate.reason),
            verdict=self.verdict,
            about=self.about,
        )
