"""One episode at a time: no answer may need the other episodes of its batch (state or statistics shared over tasks)."""

import torch

from fairshot.checks.answer_changes import compare
from fairshot.checks.check import Case, LearnerCheck, only
from fairshot.checks.finding import Outcome

FEW = 4  # episodes


class OneEpisode(LearnerCheck):
    """Asks a few episodes alone."""

    def look(self, case: Case) -> tuple[Outcome, str]:
        """Compares with all episodes in one batch."""
        some = range(min(FEW, len(case.episodes)))
        alone = [case.ask(only(case.batch, slice(number, number + 1))) for number in some]
        change = compare(case.logits[: len(some)], torch.cat(alone), case.batch.query_mask[: len(some)])
        return change.judged("when each episode is asked alone")
