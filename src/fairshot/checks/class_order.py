"""The numbers of the classes: numbered anew, the answers must follow; a place among the classes must not be learned."""

from dataclasses import replace

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from fairshot.checks.answer_changes import clearly_above, compare_answers
from fairshot.checks.check import Case, LearnerCheck, Logits, shuffle_places
from fairshot.checks.finding import Outcome
from fairshot.checks.support_order import LOOSE, MOST_TIES, as_by_guessing
from fairshot.tables.words import percent
from fairshot.tasks.episodes import PAD

PREFERRED = 0.25  # of the queries above a fair share: less is what ties do that fall to the first class


class ClassOrder(LearnerCheck):
    """Gives the classes of every episode other numbers."""

    def look(self, case: Case) -> tuple[Outcome, str]:
        """Compares the answers class by class, and looks for numbers that are answered too often."""
        batch = case.batch
        number = shuffle_places(case.stream("class order"), batch.way, batch.width)
        answers = case.ask(replace(batch, support_labels=renumber(batch.support_labels, number)))
        followed = answers.gather(2, number[:, None, :].expand_as(answers))
        change = compare_answers(case.logits, followed, batch.query_mask, tolerance=LOOSE)
        if change.flipped <= MOST_TIES * change.queries:
            kept = change.queries - change.flipped
            return "ok", f"{kept} of {change.queries} queries get the same class when the classes are numbered anew"
        shares = torch.cat([_shares(logits, batch.query_mask) for logits in (case.logits, answers)]).numpy()
        fair = np.tile(1 / batch.way.numpy(), 2)[:, None]
        preferred = [place for place in range(batch.width) if clearly_above((shares - fair)[:, place], PREFERRED)]
        seen = f"{change} when the classes are numbered anew"
        if preferred:
            often, rate = preferred[0], float(shares[:, preferred[0]].mean())
            seen += f"; class number {often} is answered to {percent(rate, 0)} of them, whatever it is"
        leaks = preferred or as_by_guessing(change, batch.way)
        if leaks and _only_ties(case.logits, followed, number):
            return "warning", f"{seen}; as ties do that fall to the class with the lower number"
        return "leak" if leaks else "warning", seen


def renumber(
    labels: Int[Tensor, "episode support"], number: Int[Tensor, "episode way"]
) -> Int[Tensor, "episode support"]:
    """Labels under other numbers; padding stays padding."""
    return torch.where(labels == PAD, PAD, number.gather(1, labels.clamp(min=0)))


def _only_ties(before: Logits, after: Logits, number: Int[Tensor, "episode way"]) -> bool:
    """Whether other classes are answered only between equal logits, or in favour of the lower number by labels alone.

    Who answers with labels, 1 for one class and 0 for the others, shows no ties.
    """
    one, other = before.argmax(2), after.argmax(2)
    changed = one != other
    equal = before.gather(2, one[:, :, None]) == before.gather(2, other[:, :, None])
    lower = (one < other) & (number.gather(1, other) < number.gather(1, one))
    labels = len(np.unique(before[torch.isfinite(before)].numpy())) <= 2
    return bool((equal[:, :, 0] | lower if labels else equal[:, :, 0])[changed].all())


def _shares(logits: Logits, mask: Tensor) -> Float[Tensor, "episode way"]:
    """How much of its queries each episode answers with each number."""
    chosen = torch.nn.functional.one_hot(logits.argmax(2), logits.shape[2]) * mask[:, :, None]
    return chosen.sum(1) / mask.sum(1, keepdim=True)
