"""The same question twice: the same bytes, whatever was asked in between (chance without a seed, a memory)."""

from dataclasses import replace

import numpy as np
import torch

from fairshot.checks.check import Case, LearnerCheck, select_episodes
from fairshot.checks.finding import Outcome
from fairshot.learners.learner import TaskBatch
from fairshot.tasks.episodes import PAD

FEW = 2  # episodes
IMAGES = 32  # embedded twice


class Repeat(LearnerCheck):
    """Asks A, A, then B, then A again."""

    def look(self, case: Case) -> tuple[Outcome, str]:
        """Compares the bytes of all answers to the same question."""
        ids = case.episodes.query_ids
        rows = case.part.rows(ids[ids != PAD][:IMAGES])
        embedded = [case.features.embed(rows) for _ in range(2)]
        batch = select_episodes(case.batch, slice(FEW))
        first, second = case.ask(batch), case.ask(batch)
        other = case.drawn[case.count : case.count + FEW]
        if len(other):
            case.features.require(other)
            case.ask(_unlike(case.features.batch(other)))
        third = case.ask(batch)
        wrong = [] if np.array_equal(embedded[0], embedded[1]) else ["the same images get other features"]
        if not torch.equal(first, second):
            wrong.append("asked twice, the same question gets other answers")
        elif not torch.equal(first, third):
            wrong.append("the same question gets other answers after other questions")
        return ("leak", "; ".join(wrong)) if wrong else ("ok", "the same question always gets the same bytes")


def _unlike(batch: TaskBatch) -> TaskBatch:
    """Twice as large as everything that was asked before: a memory of it shows."""
    return replace(batch, support=2 * batch.support, query=2 * batch.query)
