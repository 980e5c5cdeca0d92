"""The share of queries that were answered correctly."""

from dataclasses import dataclass
from typing import ClassVar

from fairshot.metrics.metric import Queries, Share


@dataclass(frozen=True)
class Accuracy(Share):
    """Correct queries by queries asked."""

    higher_is_better: ClassVar = True

    def of_hopeless(self, chance: float) -> float | None:
        """As good as chance."""
        return chance

    def marked(self, correct: Queries) -> Queries:
        """The correct ones."""
        return correct
