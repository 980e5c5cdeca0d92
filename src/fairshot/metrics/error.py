"""The share of queries that were answered wrongly, as older papers print it."""

from dataclasses import dataclass
from typing import ClassVar

from fairshot.metrics.metric import Queries, Share


@dataclass(frozen=True)
class Error(Share):
    """Wrong queries by queries asked."""

    higher_is_better: ClassVar = False

    def of_hopeless(self, chance: float) -> float | None:
        """As bad as chance."""
        return 1 - chance

    def marked(self, correct: Queries) -> Queries:
        """The wrong ones."""
        return ~correct
