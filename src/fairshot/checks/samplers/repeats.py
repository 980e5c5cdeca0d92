"""An item that is drawn twice within the support, or within the queries: shots are fewer than they seem."""

from fairshot.checks.finding import Outcome
from fairshot.checks.samplers.draws import Draws
from fairshot.checks.samplers.sampler_check import SamplerCheck
from fairshot.tables.words import count_of


class Repeats(SamplerCheck):
    """No item is drawn twice for one side."""

    def look(self, draws: Draws) -> tuple[Outcome, str]:
        """Counts episodes in which a side holds an item twice."""
        bad = [
            side
            for side in ("support", "query")
            for each in draws.episodes
            if len(set(getattr(each, side).tolist())) < len(getattr(each, side))
        ]
        if not bad:
            return "ok", "no item twice on one side"
        sides = " and ".join(dict.fromkeys(bad))
        outcome: Outcome = "leak" if "support" in bad else "warning"
        return outcome, f"the {sides} of {count_of(len(bad), 'episode')} holds an item twice: draw without replacement"
