"""Support under wrong labels: whoever still answers right reads the truth elsewhere, as in a table or in an order."""

from dataclasses import replace

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from fairshot.checks.answer_changes import clearly_above
from fairshot.checks.check import Case, LearnerCheck, reorder, select_episodes, shuffle_places
from fairshot.checks.finding import Outcome
from fairshot.metrics.metric import correctness
from fairshot.tables.words import percent
from fairshot.tasks.episodes import PAD

EPISODES = 8  # each is asked as often as it has classes
EXCESS = 0.02  # above chance: less is no use to anybody


class Truth(LearnerCheck):
    """Deals the labels of every episode anew to its support images, then moves them round by one until all are through.

    Each image bears every label once, so that whoever goes by the labels is right exactly as often as chance, and
    the smallest excess tells.
    """

    def look(self, case: Case) -> tuple[Outcome, str]:
        """A t test of the excess over chance, with an episode as the unit."""
        way = case.batch.way[:EPISODES]
        excess = (_right_under_wrong_labels(case) - 1 / way).numpy().astype(np.float64)
        rate, chance = float((excess + 1 / way.numpy()).mean()), float((1 / way).mean())
        seen = f"under wrong labels {percent(rate)} of the answers are right, chance is {percent(chance)}"
        if clearly_above(excess, EXCESS):
            return "leak", f"{seen}: the truth is read from somewhere else"
        return "ok", seen


def _right_under_wrong_labels(case: Case) -> Float[Tensor, " episode"]:
    batch, truth = select_episodes(case.batch, slice(EPISODES)), case.truth[:EPISODES]
    way = batch.way
    order = shuffle_places(case.stream("truth"), (batch.support_labels != PAD).sum(1), batch.support_labels.shape[1])
    dealt = reorder(batch.support_labels, order)
    total = torch.zeros(len(way))
    for step in range(int(way.max())):
        labels = torch.where(dealt == PAD, PAD, (dealt + step) % way[:, None])
        right = correctness(case.ask(replace(batch, support_labels=labels)), truth, way) & batch.query_mask
        # A narrow episode is through earlier than a wide one beside it.
        total += torch.where(step < way, right.sum(1) / batch.query_mask.sum(1), 0.0)
    return total / way
