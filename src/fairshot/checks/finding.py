"""A Finding: what one check saw, and what follows from it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from fairshot.runtime.errors import unknown

Outcome = Literal["ok", "warning", "leak", "not applicable"]
About = Literal["learner", "data", "sampler"]


@dataclass(frozen=True)
class Finding:
    """The outcome of one check with the facts behind it; only `leak` makes a command fail."""

    check: str
    about: About
    outcome: Outcome
    seen: str


def find_named(findings: Sequence[Finding], check: str) -> Finding:
    """The finding of the check with that name."""
    by_name = {finding.check: finding for finding in findings}
    if check not in by_name:
        raise unknown("check", check, by_name)
    return by_name[check]
