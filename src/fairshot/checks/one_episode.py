"""One episode at a time: no answer may need the other episodes of its batch (state or statistics shared over tasks)."""

import torch

from fairshot.checks.answer_changes import compare_answers
from fairshot.checks.check import Case, LearnerCheck, select_episodes
from fairshot.checks.finding import Outcome

FEW = 4  # episodes


class OneEpisode(LearnerCheck):
    """Asks a few episodes alone."""

    def look(self, case: Case) -> tuple[Outcome, str]:
        """Compares with all episodes in one batch."""
        some = range(min(FEW, len(case.episodes)))
        alone = [case.ask(select_episodes(case.batch, slice(number, number + 1))) for number in some]
        change = compare_answers(case.logits[: len(some)], torch.cat(alone), case.batch.query_mask[: len(some)])
        return change.outcome("when each episode is asked alone")
