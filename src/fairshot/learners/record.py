"""Where weights come from."""

from dataclasses import dataclass
from typing import Any

from fairshot.learners.plan import Plan


@dataclass(frozen=True)
class Record:
    """Where weights come from: enough to use them, and to train them again."""

    learner: str
    settings: dict[str, Any]
    plan: Plan
    preset: str
    """The name of the plan, with what was changed in it."""
    source: str
    """What was trained on."""
    recipe: str
    shape: tuple[int, int]
    """Channels, and pixels in width and height."""
    classes: int
    seed: int
    epoch: int = 0
    """Which snapshot this is."""

    @property
    def about(self) -> str:
        """One line for a listing."""
        return f"{self.learner} on {self.source} (recipe {self.recipe}, {self.plan.network}, preset {self.preset})"
