"""Items that are support and query of the same episode: the answer was shown."""

from fairshot.checks.finding import Outcome
from fairshot.checks.samplers.draws import Draws
from fairshot.checks.samplers.sampler_check import SamplerCheck
from fairshot.tables.words import count_of


class Overlap(SamplerCheck):
    """Support and query share no item."""

    def look(self, draws: Draws) -> tuple[Outcome, str]:
        """Counts episodes with a common item."""
        shared = [set(each.support.tolist()) & set(each.query.tolist()) for each in draws.episodes]
        bad = [common for common in shared if common]
        if not bad:
            return "ok", f"no item on both sides in {count_of(len(shared), 'episode')}"
        queries = sum(len(each.query) for each in draws.episodes)
        many = sum(map(len, bad))
        return "leak", (
            f"{count_of(len(bad), 'episode')} of {len(shared):,} ask about items of their own support, such as item "
            f"{min(bad[0])}: {many:,} of {queries:,} queries"
        )
