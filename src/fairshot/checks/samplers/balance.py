"""Classes that are missing from the support, drawn twice, or unequal: another task than the one that is named."""

from collections import Counter

import numpy as np

from fairshot.checks.finding import Outcome
from fairshot.checks.samplers.draws import Draws
from fairshot.checks.samplers.sampler_check import SamplerCheck
from fairshot.tables.words import count_of


class Balance(SamplerCheck):
    """Every query's class is in the support, and classes are equal on both sides."""

    def look(self, draws: Draws) -> tuple[Outcome, str]:
        """Counts classes on both sides of every episode."""
        strangers, uneven_support, uneven_query = 0, 0, 0
        for each in draws.episodes:
            shown, asked = (Counter(draws.classes[ids].tolist()) for ids in (each.support, each.query))
            strangers += bool(asked.keys() - shown.keys())
            uneven_support += len(set(shown.values())) > 1
            uneven_query += len({asked.get(one, 0) for one in shown}) > 1
        ways = Counter(map(len, draws.class_sets))
        fewer = sum(times for way, times in ways.items() if draws.way is not None and way < draws.way)
        total = len(draws.episodes)
        if strangers:
            return "leak", f"{strangers:,} of {total:,} episodes ask about classes that their support does not show"
        if fewer:
            return (
                "leak",
                f"{fewer:,} of {total:,} episodes have less than {draws.way} classes: one is drawn twice",
            )
        if uneven_support or uneven_query:
            sides = [side for side, many in (("support", uneven_support), ("queries", uneven_query)) if many]
            many = max(uneven_support, uneven_query)
            return "warning", f"the {' and '.join(sides)} of {many:,} of {total:,} episodes have unequal classes"
        median = int(np.median(list(ways.elements())))
        return "ok", f"as many items of every class, on both sides; {count_of(median, 'class')} an episode"
