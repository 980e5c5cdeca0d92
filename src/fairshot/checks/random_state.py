"""Global random state untouched: a learner that seeds or draws from it changes what everybody else draws."""

from fairshot.checks.check import Case, LearnerCheck, only
from fairshot.checks.finding import Outcome
from fairshot.checks.global_random import restored, states

FEW = 2  # episodes


class RandomState(LearnerCheck):
    """Looks at the generators of Python, NumPy and torch before and after."""

    def look(self, case: Case) -> tuple[Outcome, str]:
        """Embeds and asks once."""
        rows = case.part.rows(case.episodes.support_ids[0, :1])
        batch = only(case.batch, slice(FEW))
        with restored():
            before = states()
            case.features.embed(rows)
            case.ask(batch)
            after = states()
        touched = [name for name in before if before[name] != after[name]]
        if touched:
            return "leak", f"the global random state of {' and '.join(touched)} is changed"
        return "ok", f"the global random states of {', '.join(before)} stay as they were"
