"""The order of the support images: shuffled with their labels, they must teach the same."""

from dataclasses import replace

from jaxtyping import Int
from torch import Tensor

from fairshot.checks.answer_changes import Change, compare_answers
from fairshot.checks.check import Case, LearnerCheck, reorder, shuffle_places
from fairshot.checks.finding import Outcome
from fairshot.tasks.episodes import PAD

LOOSE = 1e-2  # of the range of logits: a solver that stops early ends elsewhere
MOST_TIES = 0.02  # of the queries: so few are ties and last steps
MANY = 0.8  # of what guessing would change: more is no matter of ties and steps, but of places


class SupportOrder(LearnerCheck):
    """Shuffles the support of every episode."""

    def look(self, case: Case) -> tuple[Outcome, str]:
        """Counts other classes; some may come from ties or a solver's steps, and no order tells the truth by itself."""
        batch = case.batch
        counts = (batch.support_labels != PAD).sum(1)
        order = shuffle_places(case.stream("support order"), counts, batch.support.shape[1])
        answers = case.ask(
            replace(
                batch,
                support=reorder(batch.support, order),
                support_labels=reorder(batch.support_labels, order),
            )
        )
        change = compare_answers(case.logits, answers, batch.query_mask, tolerance=LOOSE)
        if change.flipped <= MOST_TIES * change.queries:
            kept = change.queries - change.flipped
            return "ok", f"{kept} of {change.queries} queries get the same class when the support images are shuffled"
        outcome: Outcome = "leak" if as_by_guessing(change, batch.way) else "warning"
        return outcome, f"{change} when the support images are shuffled with their labels"


def as_by_guessing(change: Change, way: Int[Tensor, " episode"]) -> bool:
    """Whether nearly as many queries get another class as if both answers were guesses."""
    return change.flipped > MANY * change.queries * float((1 - 1 / way).mean())
