"""One episode at a time: no answer may need the other episodes of its batch (state or statistics shared over tasks)."""

import torch

from fairshot.checks.check import Case, LearnerCheck, only
from fairshot.checks.compared import compare
from fairshot.checks.finding import Outcome


class OneEpisode(LearnerCheck):
    """Asks every episode alone."""

    def look(self, case: Case) -> tuple[Outcome, str]:
        """Compares with all episodes in one batch."""
        alone = [case.ask(only(case.batch, slice(number, number + 1))) for number in range(len(case.episodes))]
        change = compare(case.logits, torch.cat(alone), case.batch.query_mask)
        return change.judged("when each episode is asked alone")
