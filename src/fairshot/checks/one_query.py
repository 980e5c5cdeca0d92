"""Queries alone and in other company: no answer may need the others (hidden transduction, batch norm over queries)."""

from dataclasses import replace

import numpy as np
import torch

from fairshot.checks.answer_changes import Change, compare_answers
from fairshot.checks.check import Case, LearnerCheck, select_episodes
from fairshot.checks.finding import Outcome
from fairshot.learners.learner import TaskBatch

FEW = 2  # episodes
ALONE = 3  # queries of each that are asked one by one


class OneQuery(LearnerCheck):
    """Asks the queries of a few episodes in two halves, and some of them one by one."""

    def look(self, case: Case) -> tuple[Outcome, str]:
        """Compares with all queries of the episode at once; the episode is alone in both cases."""
        changes = [_change(case, number) for number in range(min(FEW, len(case.episodes)))]
        change = sum(changes[1:], changes[0])
        if case.learner.transductive:
            return "not applicable", f"declared transductive: {change} when asked alone or with half of the others"
        return change.outcome("when asked alone or with half of the others")


def _change(case: Case, number: int) -> Change:
    batch = select_episodes(case.batch, slice(number, number + 1))
    places = batch.query_mask[0].nonzero()[:, 0]
    order = case.stream("one query", number).permutations(np.array([len(places)]))[0]
    shuffled, half = places[order], len(places) // 2
    portions = [shuffled[:half], shuffled[half:], *shuffled[:ALONE, None]]
    portions = [portion for portion in portions if len(portion)]
    answers = torch.cat([case.ask(_asking(batch, portion)) for portion in portions], dim=1)
    asked = torch.cat(portions)
    return compare_answers(case.ask(batch)[:, asked], answers, batch.query_mask[:, asked])


def _asking(batch: TaskBatch, places: torch.Tensor) -> TaskBatch:
    """The same episode with some of its queries only."""
    return replace(batch, query=batch.query[:, places], query_mask=batch.query_mask[:, places])
