"""Classes and items that are never drawn, or more often than others: the score is of another data set."""

import numpy as np
from scipy import stats

from fairshot.checks.finding import Outcome
from fairshot.checks.samplers.draws import Draws
from fairshot.checks.samplers.sampler_check import CERTAIN, SamplerCheck
from fairshot.tables.words import count_of, plain

EXPECTED = 12.0  # draws of a class or an item, by chance missed by one in 160,000


class Reach(SamplerCheck):
    """All classes are drawn, equally often, and all of their items."""

    def look(self, draws: Draws) -> tuple[Outcome, str]:
        """Counts how often classes and items are drawn."""
        known = np.unique(draws.classes)
        counts = draws.class_counts[known]
        expected = counts.sum() / len(known)
        never = known[counts == 0]
        if len(never) and expected >= EXPECTED:
            return "leak", f"{count_of(len(never), 'class')} of {len(known)} never drawn, such as class {never[0]}"
        if expected < EXPECTED:
            return "not applicable", "too few episodes to say which classes are never drawn: ask for more"
        missed = self._missed(draws)
        if missed:
            return "warning", f"{count_of(missed, 'item')} never drawn though others of their class are, often"
        way = expected * len(known) / len(draws.episodes)
        statistic = float(((counts - expected) ** 2).sum() / expected / max(1 - way / len(known), 1e-9))
        if len(known) > 1 and way < len(known) and stats.chi2.sf(statistic, len(known) - 1) < stats.norm.sf(CERTAIN):
            ratio = plain(counts.max() / counts.min())
            return "warning", f"classes are drawn unequally often: some {ratio} times as often as others"
        return "ok", f"all {count_of(len(known), 'class')} and their items are drawn"

    def _missed(self, draws: Draws) -> int:
        """Items that were not drawn although chance would have drawn each of their class often."""
        counts = draws.role_counts("support") + draws.role_counts("query")
        missed = 0
        for one in np.unique(draws.classes):
            own = counts[draws.classes == one]
            missed += int((own == 0).sum()) if own.mean() >= EXPECTED else 0
        return missed
