"""Items that are always support, or always query: a fixed support set says nothing about others."""

import numpy as np

from fairshot.checks.finding import Outcome
from fairshot.checks.samplers.draws import Draws
from fairshot.checks.samplers.sampler_check import SamplerCheck
from fairshot.tables.words import percent

OFTEN = 20  # draws of an item, after which it should have had both roles
MOST_FIXED = 0.5  # of such items may keep one role where chance would let fewer than a tenth do so
BY_CHANCE = 0.1


class Roles(SamplerCheck):
    """An item is support in some episodes and query in others."""

    def look(self, draws: Draws) -> tuple[Outcome, str]:
        """Compares how often items keep one role with what chance would do."""
        support, query = (draws.role_counts(role) for role in ("support", "query"))
        times = support + query
        often = times >= OFTEN
        if not often.any() or not support.sum() or not query.sum():
            return "not applicable", "too few episodes to say whether items change their role: ask for more"
        share = support.sum() / times.sum()
        by_chance = float(np.mean(share ** times[often] + (1 - share) ** times[often]))
        fixed = float(((support[often] == 0) | (query[often] == 0)).mean())
        if fixed > MOST_FIXED and by_chance < BY_CHANCE:
            return "warning", (
                f"{percent(fixed, 0)} of the items that are drawn often have always the same role: the support is "
                "fixed, and scores are of this support"
            )
        return "ok", "items are support in some episodes and query in others"
