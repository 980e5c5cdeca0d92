"""One query at a time: a query's answer must not need its company (hidden transduction, batch norm over queries)."""

from dataclasses import replace

import torch

from fairshot.checks.check import Case, LearnerCheck, only
from fairshot.checks.compared import Change, compare
from fairshot.checks.finding import Outcome
from fairshot.learners.learner import TaskBatch

FEW = 2  # episodes: every query of theirs is a question of its own


class OneQuery(LearnerCheck):
    """Asks every query of a few episodes alone."""

    def look(self, case: Case) -> tuple[Outcome, str]:
        """Compares with all queries of the episode at once; the episode is alone in both cases."""
        changes = [_change(case, only(case.batch, slice(i, i + 1))) for i in range(min(FEW, len(case.episodes)))]
        change = sum(changes[1:], changes[0])
        if case.learner.transductive:
            return "not applicable", f"declared transductive: {change} when each is asked alone"
        return change.judged("when each is asked alone")


def _change(case: Case, batch: TaskBatch) -> Change:
    places = batch.query_mask[0].nonzero()[:, 0].tolist()
    single = [
        replace(batch, query=batch.query[:, [place]], query_mask=batch.query_mask[:, [place]]) for place in places
    ]
    alone = torch.cat([case.ask(question) for question in single], dim=1)
    return compare(case.ask(batch)[:, places], alone, batch.query_mask[:, places])
