"""Verdicts on claims by the interval of their number."""

import pytest

from fairshot.statistics.estimate import Estimate
from fairshot.studies.kinds.claim import Claim


def estimate(low: float | None, high: float | None) -> Estimate:
    return Estimate(value=0.5, low=low, high=high, level=0.95, method="t", population="runs")


@pytest.mark.parametrize(
    ("ends", "verdict"),
    [
        ((0.1, 0.9), "agree"),
        ((-0.9, -0.1), "disagree"),
        ((-0.1, 0.9), "cannot be told"),
        ((0.0, 0.9), "cannot be told"),
        ((None, None), "cannot be told"),
    ],
)
def test_a_verdict_needs_the_whole_interval_on_one_side(ends: tuple[float | None, float | None], verdict: str) -> None:
    claim = Claim("it is so", "a number", estimate(*ends))
    assert claim.verdict == verdict
    assert claim.row("critics", "part", "key").verdict == verdict


def test_a_claim_about_what_was_not_run_says_so() -> None:
    row = Claim("it is so", "a number", None).row("critics", "part", "key")
    assert (row.verdict, row.value, row.notes) == ("cannot be told", None, ["not all that it speaks of was run"])
