"""Global random state neither changed nor read: answers would depend on what others draw, or theirs on the learner."""

from fairshot.checks.check import Case, LearnerCheck
from fairshot.checks.finding import Outcome
from fairshot.checks.global_random import OTHER, UNUSUAL, generators_restored, states
from fairshot.checks.probe import Probe, Response, judge, respond, small_probe


class RandomState(LearnerCheck):
    """Looks at the generators of Python, NumPy and torch before and after, and asks again while they stand elsewhere.

    The second half needs a learner that has answered nothing yet: what it drew once it may have kept.
    """

    def look(self, case: Case) -> tuple[Outcome, str]:
        """Embeds and asks three times."""
        probe = small_probe(case)
        with generators_restored():
            before = states()
            respond(case, probe)
            after = states()
        touched = [name for name in before if before[name] != after[name]]
        wrong = [f"the global random state of {' and '.join(touched)} is changed"] if touched else []
        one, other = (_seeded(case, probe, seed) for seed in (UNUSUAL, OTHER))
        outcome, seen = judge(probe, one, other, "when the global generators stand elsewhere")
        wrong += [seen] if outcome == "leak" else []
        if wrong:
            return "leak", "; ".join(wrong)
        return "ok", f"the global random states of {', '.join(before)} are neither changed nor read"


def _seeded(case: Case, probe: Probe, seed: int) -> Response:
    with generators_restored(seed):
        return respond(case.fresh(), probe)
