"""Groups (frames of one film, drawings of one hand) on both sides of an episode."""

from fairshot.checks.finding import Outcome
from fairshot.checks.samplers.draws import Draws
from fairshot.checks.samplers.sampler_check import SamplerCheck


class GroupSides(SamplerCheck):
    """No group is on both sides."""

    def look(self, draws: Draws) -> tuple[Outcome, str]:
        """Counts episodes whose queries share a group with their support."""
        groups = draws.groups
        if groups is None:
            return "not applicable", "the data has no groups"
        sides = [(set(groups[each.support].tolist()), set(groups[each.query].tolist())) for each in draws.episodes]
        bad = sum(bool(shown & asked) for shown, asked in sides)
        if not bad:
            return "ok", "no group on both sides"
        return "leak", f"{bad:,} of {len(sides):,} episodes have one group on both sides: keep groups apart"
