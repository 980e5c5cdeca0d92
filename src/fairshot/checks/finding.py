"""A Finding: what one check saw, and what follows from it."""

from dataclasses import dataclass
from typing import Literal

Outcome = Literal["ok", "warning", "leak", "not applicable"]
About = Literal["learner", "data"]


@dataclass(frozen=True)
class Finding:
    """The outcome of one check with the facts behind it; only `leak` makes a command fail."""

    check: str
    about: About
    outcome: Outcome
    seen: str
